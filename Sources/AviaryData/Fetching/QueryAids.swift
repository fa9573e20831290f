import AviaryDomain

/// The indexes of a file that make a query fast and do not change its result.
struct QueryAids: Sendable {
    /// The indexes for sorting lists.
    var sortIndexes: Set<SortIndex> = []
    /// Whose words are indexed.
    var searchColumns: Set<SearchColumn> = []

    static let none = QueryAids()
}

extension QueryAids {
    init(of connection: any Connection) throws {
        self.init(sortIndexes: try SortIndex.all(in: connection), searchColumns: try SearchColumn.all(in: connection))
    }
}
