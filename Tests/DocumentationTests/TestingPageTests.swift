import Foundation
import Testing

@Suite("The page on testing an application shows tests that run")
struct TestingPageTests {
    @Test("Each block of tests stands, line by line, in what is compiled and run here")
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

    @Test("Every other block is a part of a manifest: nothing stays unchecked by mistake")
    func marked() throws {
        for block in try Page("docs/testing-your-app.md").blocks where block.info != "swift" {
            #expect(block.info == "swift Package.swift", "Line \(block.line)")
        }
    }
}
