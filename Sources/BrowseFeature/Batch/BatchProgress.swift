package import AviaryDomain
package import Foundation

/// How far a batch has come: all that there is to know, so that any worker can go on with it. It stands in the address and
/// in the form that goes on; nothing of it is kept anywhere else.
package struct BatchProgress: Sendable, Hashable {
    /// So many records are changed in one commit: few enough that others' saves wait for a moment only.
    static let mostSize = 500

    /// Records whose ids come later were begun after somebody said yes: they stay as they are. It also tells this batch from
    /// others.
    package let until: UUID
    /// Up to this id everything has been looked at; nil before the first.
    package var after: UUID?
    package var done = 0
    /// How many could not be changed.
    package var refused = 0
    /// How many are tried in one commit. Halved where one of them is refused, until it stands alone.
    package var size = Self.mostSize

    /// - Parameter until: An id that is made now.
    package init(until: UUID = .version7()) {
        self.until = until
    }

    /// Nil for an address that does not speak of a batch that was begun.
    package init?(_ fields: [FormField]) {
        guard let until = fields.value("until").flatMap({ UUID(canonicalText: $0) }) else { return nil }
        self.until = until
        if let text = fields.value("after") {
            guard let after = UUID(canonicalText: text) else { return nil }
            self.after = after
        }
        done = Self.number(fields.value("done"))
        refused = Self.number(fields.value("refused"))
        let size = Self.number(fields.value("size"))
        self.size = (1...Self.mostSize).contains(size) ? size : Self.mostSize
    }

    package var fields: [FormField] {
        var fields = [FormField(name: "until", value: until.canonicalText)]
        if let after { fields.append(FormField(name: "after", value: after.canonicalText)) }
        fields.append(FormField(name: "done", value: String(done)))
        if refused > 0 { fields.append(FormField(name: "refused", value: String(refused))) }
        if size < Self.mostSize { fields.append(FormField(name: "size", value: String(size))) }
        return fields
    }

    /// The id under which the change of these records is stored: the same for whoever sends the form once more. No more is asked
    /// of it than that the parts of one batch are told apart.
    func changeSet(_ ids: [UUID]) -> UUID {
        var whole = FNV1a()
        let halves = [until, ids.first, ids.last].compactMap(\.self).reduce(into: [FNV1a(), FNV1a()]) { halves, id in
            withUnsafeBytes(of: id.uuid) { bytes in bytes.forEach { whole.add($0) } }
            halves[0].add(id.canonicalText)
            halves[1].add(String(whole.value))
        }
        let bytes = halves.flatMap { half in withUnsafeBytes(of: half.value.bigEndian) { [UInt8]($0) } }
        return NSUUID(uuidBytes: bytes) as UUID
    }

    private static func number(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000_000)
    }
}
