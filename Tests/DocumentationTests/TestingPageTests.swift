import Foundation
import Testing

@Suite("Code in the testing documentation")
struct TestingPageTests {
    @Test("Each Swift block occurs in the compiled tests")
    func compiled() throws {
        let page = try Page("docs/testing-your-app.md")
        let path = Page.root.appending(path: "Tests/DocumentationTests/Testing/ZooTests.swift")
        let source = SourceText(try String(contentsOf: path, encoding: .utf8))
        let blocks = page.blocks.filter { $0.info == "swift" }
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(source.contains(block), "\(page.path):\(block.line) is not in \(path.lastPathComponent).")
        }
    }

    @Test("Every other block is marked as part of a manifest")
    func marked() throws {
        for block in try Page("docs/testing-your-app.md").blocks where block.info != "swift" {
            #expect(block.info == "swift Package.swift", "Line \(block.line)")
        }
    }
}
