/// A page of a model's list.
struct ListPage: Sendable {
    private(set) var rows: [ListRow] = []
    private(set) var next: String?
    private(set) var sorts: [String] = []
    /// Whether it has a field to search in.
    private(set) var hasSearch = false
    /// How many records the list says it has.
    private(set) var total: Int?
    private var isInHead = false
    private var isInTitle = false
    private var tick: String?

    init(_ body: [UInt8]) {
        var markup = MarkupReader(body)
        while let token = markup.next() { take(token) }
    }

    private mutating func take(_ token: MarkupReader.Token) {
        switch token {
        case .open(let tag): open(tag)
        case .close("thead"): isInHead = false
        case .close("th"): isInTitle = false
        case .text(let text):
            if isInTitle, !rows.isEmpty { rows[rows.endIndex - 1].title += text }
        case .close: break
        }
    }

    private mutating func open(_ tag: Tag) {
        switch tag.name {
        case "thead": isInHead = true
        case "input":
            if tag["type"] == "checkbox", tag["name"] == "id" { tick = tag["value"] }
            if tag["type"] == "search", tag["name"] == "q" { hasSearch = true }
        case "th": isInTitle = tag["scope"] == "row"
        case "a": link(tag)
        case "span":
            // The navigation has counts too; the list's own heading is the last before its rows.
            if rows.isEmpty, let count = tag["data-count"].flatMap({ Int($0) }) { total = count }
        default: break
        }
    }

    private mutating func link(_ tag: Tag) {
        guard let href = tag["href"] else { return }
        if tag["rel"] == "next" {
            next = href
        } else if isInHead {
            sorts.append(href)
        } else if isInTitle, let id = tick {
            rows.append(ListRow(id: id, title: "", href: href))
            tick = nil
        }
    }
}

/// A record as a list shows it.
struct ListRow: Sendable, Hashable {
    let id: String
    var title: String
    var href: String = ""
}
