/// A page of a fetch, with the position of the next page.
///
/// ```swift
/// var page = try await animals.fetchPage(descriptor)
/// while let next = page.next { page = try await animals.fetchPage(descriptor, after: next) }
/// ```
public struct FetchedPage<M: Model>: Sendable {
    /// The records of the page, in the order of the descriptor.
    public let records: [M]
    /// The position of the next page; nil when no more records follow.
    public let next: FetchCursor?
}
