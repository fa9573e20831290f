/// Fragments of SQL text that all engines write alike.
enum SQL {
    static func placeholders(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}
