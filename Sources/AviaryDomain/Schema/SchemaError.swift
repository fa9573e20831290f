/// An error that reports a mistake in the declaration of models. It is thrown when the application starts.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model, or of the migration plan.
    public let model: String
    /// The name of the property; nil when the mistake concerns the whole model.
    public let property: String?
    /// The mistake and what to change, as the end of a sentence whose subject is the property or the model.
    public let reason: String

    package init(model: String, property: String? = nil, _ reason: String) {
        self.model = model
        self.property = property
        self.reason = reason
    }

    /// The model, the property and the mistake in one line.
    public var description: String {
        model + (property.map { ".\($0)" } ?? "") + " " + reason
    }
}
