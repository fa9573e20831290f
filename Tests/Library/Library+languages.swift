import Aviary

extension Library {
    /// English, and the language in which a text that no catalogue has is seen at once.
    var languages: [Language] { [.english, .pseudo] }
}
