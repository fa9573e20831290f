/// What an editor says above its fields.
package struct EditorMessage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case information, warning, failure
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
