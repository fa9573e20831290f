extension String {
    /// Whether there is nothing but white space.
    package var isBlank: Bool {
        // Almost every text that is not blank shows it in a byte; characters take a hundred times as long.
        if utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return false }
        return allSatisfy(\.isWhitespace)
    }
}
