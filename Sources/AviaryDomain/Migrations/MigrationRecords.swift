package import Foundation

/// What a ``MigrationContext`` works on: the tables of one version, in the open transaction of a migration.
package protocol MigrationRecords {
    func fetch(_ model: String, _ query: RecordQuery) throws -> [Record]
    func count(_ model: String, _ query: RecordQuery) throws -> Int
    func enumerate(_ model: String, _ body: (Record) throws -> Void) throws
    /// - Parameter record: Its version does not count.
    func insert(_ model: String, _ record: Record) throws
    func update(_ model: String, _ record: Record) throws
    func delete(_ model: String, _ id: UUID) throws
}
