package import Foundation

/// Change sets that are parts of one piece of work, such as a batch. Their ids begin alike, so that the history tells
/// which belong together, and follow from what they are about, so that a part that is sent again is stored once.
package struct ChangeSetSeries: Sendable, Hashable {
    /// The id of the series, a UUID of version 7 created at its beginning. It distinguishes one series from another.
    package let id: UUID

    package init(_ id: UUID) {
        self.id = id
    }

    /// Returns the id of a part of the series: the same for the same records. All records of a part decide about its id.
    package func changeSet(_ ids: [UUID]) -> UUID {
        var end = FNV1a()
        for id in [id] + ids { end.add(id.canonicalText) }
        let bytes = [beginning, end.value].flatMap { half in withUnsafeBytes(of: half.bigEndian) { [UInt8]($0) } }
        return NSUUID(uuidBytes: bytes) as UUID
    }

    package func contains(_ changeSet: UUID) -> Bool {
        withUnsafeBytes(of: changeSet.uuid) {
            $0.prefix(8).elementsEqual(withUnsafeBytes(of: beginning.bigEndian) { [UInt8]($0) })
        }
    }

    /// The change sets that take its parts back.
    package var inverse: ChangeSetSeries { ChangeSetSeries(changeSet([])) }

    /// The time at which the series began, by the clock of the process that began it.
    package var start: Date {
        let milliseconds = withUnsafeBytes(of: id.uuid) { $0.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private var beginning: UInt64 {
        var hash = FNV1a()
        hash.add(id.canonicalText)
        return hash.value
    }
}
