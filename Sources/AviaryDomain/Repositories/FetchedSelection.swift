/// Some properties of a record, as ``Repository/fetch(_:selecting:)`` reads them.
///
/// ```swift
/// for animal in try await animals.fetch(descriptor, selecting: \.name, \.weight) {
///     let (name, weight) = animal.values
///     print(animal.id, name, weight)
/// }
/// ```
public struct FetchedSelection<M: Model, each Value: StoredValue>: Sendable, Identifiable {
    public let id: M.ID
    /// In the order in which the properties were named.
    public let values: (repeat each Value)
}
