/// A mistake in the declaration of models, found when the application starts.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    public let model: String
    public let property: String?
    public let reason: String

    package init(model: String, property: String? = nil, _ reason: String) {
        self.model = model
        self.property = property
        self.reason = reason
    }

    public var description: String {
        model + (property.map { ".\($0)" } ?? "") + " " + reason
    }
}
