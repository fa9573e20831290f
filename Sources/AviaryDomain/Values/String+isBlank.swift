extension String {
    /// A Boolean value that indicates whether the string has no visible characters, only white space and characters
    /// without a shape.
    package var isBlank: Bool {
        // Almost every text that is not blank shows it in a byte; characters take a hundred times as long.
        if utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return false }
        return unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .control || properties.generalCategory == .format
        }
    }
}
