package import Foundation

/// The tables of one version in the open transaction of a migration, which a ``MigrationContext`` uses.
package protocol MigrationRecords {
    func fetch(_ model: String, _ query: RecordQuery) throws -> [Record]
    func count(_ model: String, _ query: RecordQuery) throws -> Int
    func enumerate(_ model: String, _ body: (Record) throws -> Void) throws
    /// - Parameter record: Its version does not count.
    func insert(_ model: String, _ record: Record) throws
    func update(_ model: String, _ record: Record) throws
    /// Deletes a record with its links.
    func delete(_ model: String, _ id: UUID) throws

    // Links, by a property of either side.

    func links(of id: UUID, _ relation: RelationName) throws -> [UUID]
    func enumerateLinks(_ relation: RelationName, _ body: (UUID, UUID) throws -> Void) throws
    func link(_ id: UUID, _ other: UUID, _ relation: RelationName) throws
    func unlink(_ id: UUID, _ other: UUID, _ relation: RelationName) throws
}
