extension CommonWords {
    static let lengths = 4...16

    /// Returns a Boolean value that indicates whether the list contains a word, given in lower case.
    static func contain(_ word: ArraySlice<UInt8>) -> Bool {
        guard lengths.contains(word.count) else { return false }
        return text.withUTF8Buffer { text in
            var (low, high) = (0, text.count)
            while low < high {
                // Each half is cut where a word begins.
                var start = (low + high) / 2
                while start > low, isLetter(text[start - 1]) { start -= 1 }
                var end = start
                while end < high, isLetter(text[end]) { end += 1 }
                let found = text[start..<end]
                if found.elementsEqual(word) { return true }
                if found.lexicographicallyPrecedes(word) { low = end + 1 } else { high = max(low, start - 1) }
            }
            return false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") }
}
