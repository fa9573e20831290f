import AviaryLocalization

/// The beginning of every row that can be ticked. What all rows share is written once.
struct RowSelection {
    private let label = TitlePhrase { localized("Select \($0)") }

    func render(id: String, title: String, into html: inout HTML) {
        html.literal(#"<td class="tick"><label><input type="checkbox" name="id" value=""#)
        html.text(id)
        html.literal(#"" aria-label=""#)
        label.render(title, into: &html)
        html.literal(#""></label></td>"#)
    }
}

/// A phrase around a row's title, looked up once for all rows.
struct TitlePhrase {
    private let before: [UInt8]
    private let after: [UInt8]

    /// - Parameter phrase: Puts a title into the phrase.
    init(_ phrase: (String) -> String) {
        // No phrase of ours has it.
        let parts = phrase("\u{0}").split(separator: "\u{0}", maxSplits: 1, omittingEmptySubsequences: false)
        before = Self.escaped(parts.first)
        after = Self.escaped(parts.dropFirst().first)
    }

    func render(_ title: String, into html: inout HTML) {
        before.withUnsafeBufferPointer { html.append($0) }
        html.text(title)
        after.withUnsafeBufferPointer { html.append($0) }
    }

    private static func escaped(_ text: Substring?) -> [UInt8] {
        var html = HTML(capacity: 64)
        html.text(String(text ?? ""))
        return html.bytes
    }
}
