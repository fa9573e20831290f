import AviaryDomain

extension ListQuery {
    /// In bytes: nobody looks for more.
    static let longestSearch = 200

    static func search(_ text: String?, for configuration: ModelConfiguration) throws(ListQueryError) -> String? {
        // By scalars: a mark that is written on a space is one character with it, and a name may begin so.
        let words = (text ?? "").unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map(String.init)
            .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        guard !configuration.searched.isEmpty else { throw .noSearch }
        guard !words.utf8.contains(0) else { throw .unreadableSearch }
        guard words.utf8.count <= longestSearch else { throw .searchTooLong }
        return words
    }
}
