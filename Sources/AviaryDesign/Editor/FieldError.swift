/// What is wrong with a form, said so that one knows what to do.
package struct FieldError: Sendable {
    package let field: String?
    package let message: String

    package init(field: String?, message: String) {
        self.field = field
        self.message = message
    }
}
