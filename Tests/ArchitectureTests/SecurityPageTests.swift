import Foundation
import Testing

@Suite("Tests named in the security documentation")
struct SecurityPageTests {
    /// Returns the test files that a table of the page names, each with the quoted beginnings of test names that
    /// follow it.
    static func named(in page: String) -> [(file: String, tests: [String])] {
        page.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row in
            row.split(separator: "`").enumerated().reduce(into: [(file: String, tests: [String])]()) { found, piece in
                // The odd pieces are between backticks.
                if piece.offset % 2 == 1 {
                    guard piece.element.contains("/"),
                        piece.element.hasSuffix(".swift") || piece.element.hasSuffix(".py")
                    else { return }
                    found.append((String(piece.element), []))
                } else if !found.isEmpty {
                    found[found.count - 1].tests += piece.element.matches(of: /"([^"]+)"/).map { String($0.1) }
                }
            }
        }
    }

    @Test("Every named file exists and contains the quoted tests")
    func existing() throws {
        let named = Self.named(in: try SourceTree.text(of: "docs/security.md"))
        #expect(named.count > 40)
        for (file, tests) in named {
            let text = try SourceTree.text(of: "Tests/" + file).replacingOccurrences(of: "_", with: " ")
            for test in tests { #expect(text.contains(test), "\(file) has no test \"\(test)\"") }
        }
    }

    @Test("The parser assigns quoted tests to their files")
    func reading() {
        let named = Self.named(in: #"| x `--flag` | `A/b.swift` "One", "Two"; `C/d.py`, `e` |"#)
        #expect(named.map(\.file) == ["A/b.swift", "C/d.py"])
        #expect(named.map(\.tests) == [["One", "Two"], []])
    }
}

@Suite("The example in the documentation")
struct OwnAppPageTests {
    @Test("The first code block equals the source of the example")
    func same() throws {
        let page = try SourceTree.text(of: "docs/own-app.md")
        let block = try #require(page.firstMatch(of: /(?s)```swift\n(.*?)```/)).1
        #expect(Array(block.utf8) == Array(try SourceTree.text(of: "docs/examples/Feeder/Feeder.swift").utf8))
    }
}
