import Foundation
import Testing

@Suite("Paths in the documents")
struct DocumentPathTests {
    /// Returns the paths of source files that a page names in code, such as `AviaryData/Store/Store.swift`.
    static func paths(in page: String) -> Set<String> {
        Set(page.matches(of: /`([\w+\-][\w+.\-]*(?:\/[\w+.\-]+)+\.(?:swift|py|css|js|json|md))`/).map { String($0.1) })
    }

    @Test(
        "Every named source file exists",
        arguments: ["docs/where.md", "docs/types.md", "docs/architecture.md", "docs/testing.md", "CONTRIBUTING.md"])
    func existing(page: String) throws {
        let paths = Self.paths(in: try SourceTree.text(of: page))
        #expect(page != "docs/where.md" || paths.count > 60)
        let missing = paths.filter { path in
            !["", "Sources/"].contains { prefix in
                FileManager.default.fileExists(atPath: SourceTree.root.appending(path: prefix + path).path)
            }
        }
        #expect(missing.sorted() == [])
    }

    @Test("The parser finds paths in code, and nothing else")
    func reading() {
        let page = "| a | `A/B+C.swift`, `d.md`, A/E.swift, `F/g`, `Tests/h_1.py` (`I.j`) |"
        #expect(Self.paths(in: page) == ["A/B+C.swift", "Tests/h_1.py"])
    }
}
