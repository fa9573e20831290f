/// What is wrong with one field, in words for the person who typed it. Never quotes what was typed.
public struct FieldProblem: Error, Sendable, Hashable, Codable {
    public let property: String
    public let message: String

    package init(property: String, message: String) {
        self.property = property
        self.message = message
    }
}
