package import AviaryDomain

/// What a button of a sheet asks for that is neither Save nor Cancel: the form stays as it is typed.
package enum SheetStep: Sendable, Hashable {
    /// Look for records that the property may point to.
    case find(String)
    /// Add a record for the property to point to; this form waits.
    case create(String)
    /// One more row.
    case addRow(String)
    /// Go somewhere else; what is typed waits.
    case leave(LocalPath)

    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "find": self = .find(words[1])
        case "create": self = .create(words[1])
        case "row": self = .addRow(words[1])
        case "leave":
            guard let path = LocalPath(words[1]) else { return nil }
            self = .leave(path)
        default: return nil
        }
    }

    /// As a button carries it.
    package var text: String {
        switch self {
        case .find(let property): "find " + property
        case .create(let property): "create " + property
        case .addRow(let property): "row " + property
        case .leave(let path): "leave " + path.text
        }
    }
}
