/// What is wrong with a form, said so that one knows what to do.
package struct FieldError: Sendable {
    package let field: String?
    /// What the field is called where it is not beside the message.
    package let label: String?
    package let message: String

    package init(field: String?, label: String? = nil, message: String) {
        self.field = field
        self.label = label
        self.message = message
    }
}
