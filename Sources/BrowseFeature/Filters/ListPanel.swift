package import AviaryDomain

/// What is open beside a list, as the address says: `panel=filters`, with what to look for in the pickers of relations
/// (`find.category=mam`), or `panel=columns`.
package enum ListPanel: Sendable, Hashable {
    case filters(find: [String: String])
    case columns

    /// The field of an address that says it.
    package static let field = "panel"
    static let findPrefix = "find."
    /// Of what is looked for, in bytes.
    private static let longestText = 200

    /// Nil for anything else.
    package init?(_ fields: [FormField]) {
        var find: [String: String] = [:]
        for field in fields where field.name.hasPrefix(Self.findPrefix) && field.value.utf8.count <= Self.longestText {
            find[String(field.name.dropFirst(Self.findPrefix.count))] = field.value
        }
        switch fields.value(Self.field) {
        case "filters": self = .filters(find: find)
        case "columns": self = .columns
        // Whoever looks for something with the Enter key has pressed no button that says so.
        default:
            guard find.values.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
            self = .filters(find: find)
        }
    }
}
