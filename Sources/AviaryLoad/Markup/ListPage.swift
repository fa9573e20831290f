/// A page of a model's list.
struct ListPage: Sendable {
    private(set) var rows: [ListRow] = []
    private(set) var next: String?
    private(set) var sorts: [String] = []
    /// Indicates whether the page has a search field.
    private(set) var hasSearch = false
    /// The number of records that the list reports.
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
            // The navigation has counts too. The heading of the list is the last count before its rows.
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

/// A record in a list.
struct ListRow: Sendable, Hashable {
    let id: String
    var title: String
    var href: String = ""
}

/// A page with an editor's sheet.
struct EditorPage: Sendable {
    /// The form that Save sends.
    let save: Form
    /// The form that Cancel sends.
    let discard: Form
    /// The action that keeps the form as a draft.
    let keepAction: String
    /// The id of the record.
    let record: String

    init?(_ body: [UInt8]) {
        let forms = FormReader.forms(in: body)
        guard let discard = forms.last(where: { $0.action.hasSuffix("/discard") }),
            let save = forms.first(where: { $0["draft"] == discard["draft"] && $0["version"] != nil }),
            let record = save["id"], save["draft"] != nil, save.textField != nil,
            let keepAction = save.otherActions.first(where: { $0.hasSuffix("/draft") })
        else { return nil }
        self.save = save
        self.discard = discard
        self.keepAction = keepAction
        self.record = record
    }
}

/// The filters that a list offers in its filter panel.
enum FilterPanelReader {
    /// Returns the boxes of the panel, each as the query that ticking the box adds to the address.
    static func values(in body: [UInt8]) -> [String] {
        var markup = MarkupReader(body)
        var values: [String] = []
        while let token = markup.next() {
            guard case .open(let tag) = token, tag.name == "input", tag["type"] == "checkbox",
                let name = tag["name"], name.hasPrefix("filter."), let value = tag["value"]
            else { continue }
            values.append(
                String(decoding: URLEncodedForm.encode([URLEncodedField(name: name, value: value)]), as: UTF8.self))
        }
        return values
    }
}
