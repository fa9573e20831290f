import Foundation
import Testing

@Suite("The page on own pages shows code that is compiled and run")
struct OwnPagesPageTests {
    @Test("Each block stands, line by line, in the example application")
    func compiled() throws {
        let page = try Page("docs/own-pages.md")
        let path = Page.root.appending(path: "Sources/Zoo/FeedingPlan.swift")
        let source = SourceText(try String(contentsOf: path, encoding: .utf8))
        #expect(page.blocks.count == 2)
        for block in page.blocks {
            #expect(block.info == "swift", "Line \(block.line)")
            #expect(source.contains(block), "\(page.path):\(block.line) is not in \(path.lastPathComponent).")
        }
    }

    @Test("The page names every element of a page")
    func elements() throws {
        let text = try Page("docs/own-pages.md").text
        let folder = Page.root.appending(path: "Sources/AviaryAdmin/Routes/Custom/Pages")
        var elements: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            elements += source.matches(of: /public struct (\w+): PageElement, PagePart/).map { String($0.1) }
        }
        #expect(elements.count >= 10)
        #expect(elements.filter { !text.contains("`\($0)`") } == [])
    }
}
