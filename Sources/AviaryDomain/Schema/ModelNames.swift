/// A model's names in words. Made once: every page needs them, and taking words apart is slow.
package struct ModelNames: Sendable, Hashable {
    let title: String
    let singular: String
    let plural: String
    let pluralTitle: String
    let slug: String

    /// `animal category` of the model's name.
    package static func words(of name: String) -> String { ModelNames(of: name).singular }

    init(of name: String) {
        let words = Words.split(name)
        singular = words.map { $0.lowercased() }.joined(separator: " ")
        title = Words.capitalized(singular)
        plural = Words.plural(singular)
        pluralTitle = Words.capitalized(plural)
        slug = plural.split(separator: " ").joined(separator: "-")
    }
}
