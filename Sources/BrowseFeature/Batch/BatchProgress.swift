package import AviaryDomain
package import Foundation

/// How far a batch has come: all that there is to know, so that any worker can go on with it. It stands in the address and
/// in the form that goes on; nothing of it is kept anywhere else.
package struct BatchProgress: Sendable, Hashable {
    /// Records whose ids come later were begun after somebody said yes: they stay as they are.
    package let until: UUID
    /// Up to this id everything has been looked at; nil before the first.
    package var after: UUID?
    package var done = 0
    /// How many could not be changed.
    package var refused = 0
    /// Whether nothing is left to look at.
    package var isFinished = false

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
        isFinished = fields.value("finished") == "1"
    }

    package var fields: [FormField] {
        var fields = [FormField(name: "until", value: until.canonicalText)]
        if let after { fields.append(FormField(name: "after", value: after.canonicalText)) }
        fields.append(FormField(name: "done", value: String(done)))
        if refused > 0 { fields.append(FormField(name: "refused", value: String(refused))) }
        if isFinished { fields.append(FormField(name: "finished", value: "1")) }
        return fields
    }

    private static func number(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000_000)
    }
}
