import AviaryLocalization

// Written by literals alone: a list has hundreds of cells, and nothing here may allocate.
extension TableCell {
    /// Writes a whole `td`.
    ///
    /// - Parameter column: Says where the content stands, and what it is called where rows do not stand below their heads.
    func render(in column: TableColumn?, into html: inout HTML) {
        let trailing = column?.alignment == .trailing
        switch self {
        case .text, .choice, .flag, .link:
            html.literal(trailing ? #"<td class="trailing""# : "<td")
        case .number, .date:
            html.literal(trailing ? #"<td class="number trailing""# : #"<td class="number""#)
        case .empty:
            html.literal(trailing ? #"<td class="none trailing""# : #"<td class="none""#)
        }
        if let column, column.needsLabel, !isEmpty {
            html.literal(#" data-label=""#)
            html.text(column.title)
            html.literal("\"")
        }
        html.literal(">")
        content(into: &html)
        html.literal("</td>")
    }

    private var isEmpty: Bool { if case .empty = self { true } else { false } }

    /// Writes what stands in the cell.
    func content(into html: inout HTML) {
        switch self {
        case .text(let text):
            html.literal("<bdi>")
            html.text(text)
            html.literal("</bdi>")
        case .number(let number):
            html.text(number)
        case .choice(let label, let hue):
            html.literal(#"<span class="choice hue-"#)
            html.text(hue & 7)
            html.literal(#"">"#)
            html.text(label)
            html.literal("</span>")
        case .flag(let isOn):
            html.literal(isOn ? #"<span class="flag on">"# : #"<span class="flag">"#)
            html.text(isOn ? localized("Yes") : localized("No"))
            html.literal("</span>")
        case .date(let machine, let shown):
            html.literal(#"<time datetime=""#)
            html.text(machine)
            html.literal(#"" title=""#)
            html.text(machine)
            html.literal(#"">"#)
            html.text(shown)
            html.literal("</time>")
        case .link(let title, let href):
            html.literal(#"<a href=""#)
            html.link(href)
            html.literal(#""><bdi>"#)
            html.text(title)
            html.literal("</bdi></a>")
        case .empty:
            break
        }
    }
}
