import AviaryLocalization

/// The end of every row: the way to delete it. What all rows share is written once.
struct RowDeletion {
    private let start: [UInt8]
    private let end: [UInt8]
    private let label = TitlePhrase { localized("Delete \($0)") }
    private let title = localized("Delete")

    init(action: String, returnTo: String?) {
        var html = HTML(capacity: 256)
        html.literal(#"<td class="act"><a class="delete" data-delete href=""#)
        html.link(action)
        html.literal("?id=")
        start = html.bytes

        html = HTML(capacity: 256)
        if let returnTo {
            html.literal("&amp;return=")
            html.query(returnTo)
        }
        html.literal(#"" aria-label=""#)
        end = html.bytes
    }

    func render(id: String, title: String, into html: inout HTML) {
        start.withUnsafeBufferPointer { html.append($0) }
        html.query(id)
        end.withUnsafeBufferPointer { html.append($0) }
        label.render(title, into: &html)
        html.literal(#"">"#)
        html.text(self.title)
        html.literal(#"</a></td>"#)
    }
}
