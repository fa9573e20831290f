/// A source, in which blocks of a page are looked for.
struct SourceText {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Whether the block's lines stand here one after the other, all indented by as much.
    func contains(_ block: Page.Block) -> Bool {
        guard let first = block.lines.first, !first.isEmpty else { return false }
        return lines.indices.contains { start in
            guard lines[start].hasSuffix(first), start + block.lines.count <= lines.count else { return false }
            let indent = lines[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines[start...], block.lines).allSatisfy { line, wanted in
                line == (wanted.isEmpty ? "" : indent + wanted)
            }
        }
    }
}
