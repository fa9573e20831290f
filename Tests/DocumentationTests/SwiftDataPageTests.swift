import Foundation
import Testing

@Suite("Code in the SwiftData documentation")
struct SwiftDataPageTests {
    @Test("Each Swift block occurs in the compiled sources")
    func compiled() throws {
        let page = try Page("docs/swiftdata.md")
        let sources = try Self.sources()
        #expect(page.blocks.filter(\.isOurs).count >= 10)
        for block in page.blocks where block.isOurs {
            #expect(sources.contains { $0.contains(block) }, "\(page.path):\(block.line) is in no source.")
        }
    }

    @Test("Every other block is marked as SwiftData code")
    func marked() throws {
        for block in try Page("docs/swiftdata.md").blocks where !block.isOurs {
            #expect(block.info == "swift SwiftData", "Line \(block.line)")
        }
    }

    @Test("The comparison detects a changed character or a missing line")
    func planted() throws {
        let source = SourceText("func run() {\n    let a = 1\n\n    let b = 2\n    print(a + b)\n}\n")
        func isIn(_ lines: String...) -> Bool { source.contains(Page.Block(line: 1, info: "swift", lines: lines)) }
        #expect(isIn("let a = 1", "", "let b = 2"))
        #expect(isIn("func run() {", "    let a = 1"))
        #expect(!isIn("let a = 1", "let b = 2"))
        #expect(!isIn("let a = 1", "", "let b = 3"))
        #expect(!isIn("let a = 1", "", "  let b = 2"))
        #expect(!isIn("let a ="))
        #expect(!isIn(), "A block without code is none.")
    }

    @Test("The parser finds all code blocks, including an unclosed one")
    func blocks() {
        let page = Page(path: "page", text: "Words\n```swift\nlet a = 1\n```\n```swift SwiftData\n```\n```\nend")
        #expect(
            page.blocks == [
                Page.Block(line: 2, info: "swift", lines: ["let a = 1"]),
                Page.Block(line: 5, info: "swift SwiftData", lines: []),
                Page.Block(line: 7, info: "", lines: ["end"]),
            ])
    }

    /// Returns the sources of the zoo, which other tests run, and of this folder, which its own tests run.
    private static func sources() throws -> [SourceText] {
        try ["Sources/Zoo", "Tests/DocumentationTests/SwiftData"].flatMap { folder in
            let directory = Page.root.appending(path: folder)
            return try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".swift") }
                .map {
                    SourceText(try String(contentsOf: directory.appending(path: $0), encoding: .utf8))
                }
        }
    }
}

extension Page.Block {
    fileprivate var isOurs: Bool { info == "swift" }
}
