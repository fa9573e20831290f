extension Words {
    /// Who did something, for people to read. No account has a space in its name: what has one is no person, and has words in every
    /// language.
    package static func author(_ name: String) -> String {
        name.contains(" ") ? name.translated : name
    }
}
