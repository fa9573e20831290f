/// The end of every row: the way to delete it. What all rows share is written once.
struct RowDeletion {
    private let start: [UInt8]
    private let end: [UInt8]

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
        html.literal(#"" aria-label="Delete "#)
        end = html.bytes
    }

    func render(id: String, title: String, into html: inout HTML) {
        start.withUnsafeBufferPointer { html.append($0) }
        html.query(id)
        end.withUnsafeBufferPointer { html.append($0) }
        html.text(title)
        html.literal(#"">Delete</a></td>"#)
    }
}
