extension JSONText {
    /// Returns a Boolean value that indicates whether the text is one JSON value and nothing else.
    static func isJSON(_ text: String) -> Bool { JSONShape(text) != nil }

    /// Returns a Boolean value that indicates whether a string in the JSON contains a NUL, which can only be written as
    /// an escape.
    static func hasNUL(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
        var rest = text.utf8[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            let escape = rest[backslash...].dropFirst()
            if escape.starts(with: "u0000".utf8) { return true }
            rest = escape.dropFirst()
        }
        return false
    }

    /// Returns the place of the first key or element that the two texts do not share, or that occurs twice.
    ///
    /// The program wrote the second text from the first, so the difference is what it did not know. Null counts as a
    /// missing key.
    static func unknownPart(of text: String, comparedWith written: String) -> String? {
        guard let text = JSONShape(text), let written = JSONShape(written) else { return nil }
        return text.unknownPart(comparedWith: written, at: "")
    }
}

extension JSONShape {
    fileprivate func unknownPart(comparedWith written: JSONShape, at path: String) -> String? {
        switch (self, written) {
        case (.object(let members), .object(let known)):
            let known = Dictionary(known.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            var keys: Set<String> = []
            for (key, value) in members {
                let path = path.isEmpty ? key : "\(path).\(key)"
                guard keys.insert(key).inserted else { return path }
                guard let counterpart = known[key] else {
                    if case .null = value { continue }
                    return path
                }
                if let part = value.unknownPart(comparedWith: counterpart, at: path) { return part }
            }
            return nil
        case (.array(let array), .array(let known)) where array.count == known.count:
            for (index, (value, counterpart)) in zip(array, known).enumerated() {
                if let part = value.unknownPart(comparedWith: counterpart, at: "\(path)[\(index)]") { return part }
            }
            return nil
        default: return nil
        }
    }
}
