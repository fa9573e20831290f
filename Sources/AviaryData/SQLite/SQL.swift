/// Fragments of SQL text.
enum SQL {
    /// The name quoted, so that any model or property name is only ever a name.
    static func name(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    static func placeholders(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}
