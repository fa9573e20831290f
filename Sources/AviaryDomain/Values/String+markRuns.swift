extension String {
    /// Four times what Unicode's Stream-Safe Text Format allows (UAX #15, section 13), and more than any language or
    /// jest needs.
    private static var longestMarkRun: Int { 128 }

    /// A Boolean value that indicates whether the string has more combining marks in a row than any real text.
    ///
    /// Swift compares, hashes and folds strings by their canonical form, for which it sorts the marks of each run.
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
