/// Some records of a fetch, and where the next of them begin.
///
/// ```swift
/// var page = try await animals.fetchPage(descriptor)
/// while let next = page.next { page = try await animals.fetchPage(descriptor, after: next) }
/// ```
public struct FetchedPage<M: Model>: Sendable {
    /// In the order asked for.
    public let records: [M]
    /// Nil when no more follow.
    public let next: FetchCursor?
}
