import AviaryDomain

/// On which page a draft was shown that is discarded: there one goes on.
enum DraftPlace: String, Sendable {
    case overview, list

    /// The field of a form that tells it.
    static let field = "from"

    /// Nil for a sheet's own form.
    init?(_ form: [FormField]) {
        guard let text = form.value(Self.field) else { return nil }
        self.init(rawValue: text)
    }
}
