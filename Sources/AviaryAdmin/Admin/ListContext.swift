public import AviaryDomain

/// The records that a column of a list reads.
///
/// The closure of a column that ``ModelAdmin`` declares for all records of a page receives it. Roles do not limit these
/// reads: everybody who may view the list sees the values that the closure returns.
///
/// ```swift
/// ModelAdmin(Book.self).column("Lent") { books, list in
///     let books = books.map { Reference($0) }
///     let loans = try await list.fetch(FetchDescriptor<Loan>(predicate: #Predicate { books.contains($0.book) }))
///     return Dictionary(grouping: loans, by: \.book.id).mapValues(\.count)
/// }
/// ```
public struct ListContext: Sendable {
    let source: ComputedColumn.RecordSource

    /// Returns the records that match a descriptor, in its order.
    ///
    /// ```swift
    /// let lent = try await list.fetch(FetchDescriptor<Loan>(predicate: #Predicate { books.contains($0.book) }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions, the order and the limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property.
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> [M] {
        try await Repository<M>(source(M.schema), author: "").fetch(descriptor)
    }

    /// Returns the number of records that match a descriptor.
    ///
    /// ```swift
    /// let count = try await list.fetchCount(FetchDescriptor<Loan>(predicate: #Predicate { $0.book == book }))
    /// ```
    ///
    /// A count for each record of the page is a read for each: fetch the related records together instead.
    ///
    /// - Parameter descriptor: The conditions and the limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``.
    public func fetchCount<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> Int {
        try await Repository<M>(source(M.schema), author: "").fetchCount(descriptor)
    }
}
