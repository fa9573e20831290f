import AviaryDomain

/// Texts in which Swift's comparison is that of the original's bytes: a character for each byte, none of which is equivalent
/// to or combines with another. So `evaluate(_:)` on them says what the store's rule says of the originals.
enum ByteText {
    static func encoded(_ text: String) -> String {
        String(String.UnicodeScalarView(text.utf8.compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }))
    }

    static func encoded(_ creature: Creature) -> Creature {
        var creature = creature
        creature.name = encoded(creature.name)
        creature.nickname = creature.nickname.map(encoded)
        return creature
    }
}
