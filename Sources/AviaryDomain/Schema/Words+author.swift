extension Words {
    /// Returns the author of a change, for people to read.
    ///
    /// No account has a blank in its name. A name with a blank is not that of a person, and is translated.
    package static func author(_ name: String) -> String {
        name.contains(" ") ? name.translated : name
    }
}
