import AviaryDomain
import Foundation

/// The records that come next in a batch, in the order of their ids. They stand in the form that goes on: a form that is sent
/// twice is about the same records, whatever became of them.
package struct BatchPart: Sendable, Hashable {
    /// Of one form: 16 bytes each.
    static let mostRecords = 2000
    private static let idLength = 16

    private(set) var ids: ArraySlice<UUID>

    package var isEmpty: Bool { ids.isEmpty }

    init(_ ids: [UUID]) {
        self.ids = ids[...]
    }

    /// Nil for what no form of ours has.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.mostRecords * Self.idLength * 4 / 3 + 1, let bytes = Base64URL.decode(text),
            !bytes.isEmpty,
            bytes.count.isMultiple(of: Self.idLength)
        else { return nil }
        ids =
            stride(from: 0, to: bytes.count, by: Self.idLength).map { start in
                NSUUID(uuidBytes: Array(bytes[start..<start + Self.idLength])) as UUID
            }[...]
    }

    var text: String {
        Base64URL.encode(ids.flatMap { id in withUnsafeBytes(of: id.uuid) { [UInt8]($0) } })
    }

    func prefix(_ size: Int) -> [UUID] { Array(ids.prefix(size)) }

    mutating func removeFirst(_ count: Int) {
        ids = ids.dropFirst(count)
    }
}
