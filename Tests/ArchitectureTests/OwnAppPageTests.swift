import Testing

@Suite("The page about a program of one's own shows what is tested")
struct OwnAppPageTests {
    @Test("Its first block of code is the example, byte by byte")
    func same() throws {
        let page = try SourceTree.text(of: "docs/own-app.md")
        let block = try #require(page.firstMatch(of: /(?s)```swift\n(.*?)```/)).1
        #expect(Array(block.utf8) == Array(try SourceTree.text(of: "docs/examples/Feeder/Feeder.swift").utf8))
    }
}
