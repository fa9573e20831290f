import Foundation

/// A page of the documentation.
struct Page {
    /// From the package's root.
    let path: String
    let text: String

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// What stands between fences, with what is said behind the opening one.
    var blocks: [Block] {
        var blocks: [Block] = []
        var block: Block?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if var open = block {
                if line == "```" {
                    blocks.append(open)
                    block = nil
                } else {
                    open.lines.append(String(line))
                    block = open
                }
            } else if line.hasPrefix("```") {
                block = Block(line: index + 1, info: String(line.dropFirst(3)), lines: [])
            }
        }
        return blocks + (block.map { [$0] } ?? [])
    }

    struct Block: Equatable {
        /// Of the opening fence.
        let line: Int
        let info: String
        var lines: [String]
    }
}

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
