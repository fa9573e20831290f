/// Selected properties of a record, as ``Repository/fetch(_:selecting:)`` reads them.
///
/// ```swift
/// for animal in try await animals.fetch(descriptor, selecting: \.name, \.weight) {
///     let (name, weight) = animal.values
///     print(animal.id, name, weight)
/// }
/// ```
public struct FetchedSelection<M: Model, each Value: StoredValue>: Sendable, Identifiable {
    /// The id of the record.
    public let id: M.ID
    /// The values, in the order in which the call names the properties.
    public let values: (repeat each Value)
}
