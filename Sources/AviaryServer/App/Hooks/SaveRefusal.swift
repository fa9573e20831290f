public import AviaryDomain

/// An error that a ``SaveHook`` throws to reject a record, with a message for the person who typed it.
///
/// ```swift
/// throw SaveRefusal(\Animal.name, "The dodo is extinct.")
/// ```
public struct SaveRefusal: Error, Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// A sentence that says what to do instead.
    public let message: String

    /// Creates an error that names a field.
    ///
    /// - Parameters:
    ///   - property: A stored property of the model.
    ///   - message: A sentence that says what to do instead. It must not quote the typed value.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        keyPath = property
        self.message = message
    }

    func problem(in schema: ModelSchema) -> FieldProblem {
        let property = schema.property(at: keyPath) ?? schema.titleProperty ?? schema.storedProperties.first
        return FieldProblem(property: property?.name ?? "", message: message.translated)
    }
}
