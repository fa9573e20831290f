import AviaryDomain

extension ListQuery {
    /// In bytes: nobody looks for more.
    static let longestSearch = 200

    static func search(_ text: String?, for configuration: ModelConfiguration) throws(ListQueryError) -> String? {
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return nil }
        guard !configuration.searched.isEmpty else { throw .noSearch }
        guard words.utf8.count <= longestSearch, !words.utf8.contains(0) else { throw .searchTooLong }
        return words
    }
}
