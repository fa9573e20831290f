import Foundation

/// A page of the documentation.
struct Page {
    /// The path relative to the package root.
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

    /// The code blocks of the page, with the info strings of their opening fences.
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
        /// The line number of the opening fence.
        let line: Int
        let info: String
        var lines: [String]
    }
}

/// A source file in which the tests search for the code blocks of a page.
struct SourceText {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns whether the lines of a block occur consecutively in the source, all with the same additional
    /// indentation.
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
