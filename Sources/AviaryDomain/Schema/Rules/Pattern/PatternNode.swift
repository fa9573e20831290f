/// A node of a regular expression's syntax tree.
indirect enum PatternNode {
    case nothing
    /// A character that the atom with this number matches.
    case atom(Int)
    case start
    case end
    case sequence([PatternNode])
    case choice([PatternNode])
    /// - Parameter most: Nil for any number.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// A reason for which a pattern cannot be matched, as the end of a sentence that begins with the pattern.
struct PatternError: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    static let noExpression = PatternError("is no regular expression")
}
