import AviaryDomain

extension Schema {
    /// No line of a snapshot is longer: the greatest record of any model before and after a change, every byte of it
    /// escaped. Whatever a store holds can be read back, and nothing longer takes up memory.
    var snapshotLineLimit: Int {
        2 * models.map(\.longestLine).reduce(LineReader.leastLimit / 2, max)
    }
}

extension ModelSchema {
    private static let lengthOfEscape = 6
    /// Numbers, dates and ids are shorter, and so is what surrounds the values.
    private static let lengthOfOthers = 200

    fileprivate var longestLine: Int {
        storedProperties.reduce(Self.lengthOfOthers + name.utf8.count) { length, property in
            let value =
                switch property.type {
                case .string, .url, .json, .array: PropertySchema.longestText
                // As Base64.
                case .data: 2 * PropertyType.longestData
                case .choice(let choices): choices.map(\.utf8.count).max() ?? 0
                default: 0
                }
            return length + Self.lengthOfEscape * (property.name.utf8.count + value) + Self.lengthOfOthers
        }
    }
}
