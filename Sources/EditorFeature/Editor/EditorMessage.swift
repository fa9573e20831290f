/// What an editor says above its fields.
package struct EditorMessage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case information, warning, failure
    }

    package let kind: Kind
    package let text: String
    /// Another way on, if there is one.
    package let link: Link?

    package struct Link: Sendable, Hashable {
        let title: String
        let path: String
        /// Whether what is typed waits meanwhile: not where there is nowhere to keep it.
        let keepsForm: Bool

        package init(title: String, path: String, keepsForm: Bool = true) {
            self.title = title
            self.path = path
            self.keepsForm = keepsForm
        }
    }

    package init(_ kind: Kind, _ text: String, link: Link? = nil) {
        self.kind = kind
        self.text = text
        self.link = link
    }
}
