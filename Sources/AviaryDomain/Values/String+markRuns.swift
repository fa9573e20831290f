extension String {
    /// Four times what Unicode's Stream-Safe Text Format allows (UAX #15, section 13), and more than any language or jest needs.
    private static var longestMarkRun: Int { 128 }

    /// Whether more combining marks follow each other than any text has. Swift compares, hashes and folds texts by their
    /// canonical form, in which marks are sorted, and sorts each run one by one.
    package var hasLongMarkRun: Bool {
        // Marks take two bytes at least.
        guard utf8.count > 2 * Self.longestMarkRun else { return false }
        var run = 0
        for scalar in unicodeScalars {
            guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
                run = 0
                continue
            }
            run += 1
            if run > Self.longestMarkRun { return true }
        }
        return false
    }
}
