public import AviaryDomain

/// Thrown by a ``SaveHook`` to refuse a record: what is wrong with which field, for the person who typed it.
///
/// ```swift
/// throw SaveRefusal(\Animal.name, "The dodo is extinct.")
/// ```
public struct SaveRefusal: Error, Sendable {
    let keyPath: any AnyKeyPath & Sendable
    public let message: String

    /// - Parameters:
    ///   - property: A stored property of the model.
    ///   - message: A sentence that does not quote what was typed.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        keyPath = property
        self.message = message
    }

    func problem(in schema: ModelSchema) -> FieldProblem {
        let property = schema.property(at: keyPath) ?? schema.titleProperty ?? schema.storedProperties.first
        return FieldProblem(property: property?.name ?? "", message: message.translated)
    }
}
