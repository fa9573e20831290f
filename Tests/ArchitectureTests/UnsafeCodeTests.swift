import Foundation
import Testing

@Suite("Nothing ends the process or switches a check off without a reason")
struct UnsafeCodeTests {
    @Test("No source file does")
    func sources() throws {
        let violations = try SourceTree.swiftFiles(below: "Sources").flatMap(UnsafeCode.violations)
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "The scanner finds each construct",
        arguments: [
            "let x = try! load()", "let y = x as! Int", "fatalError(\"x\")", "final class A: @unchecked Sendable {}",
            "// why\n\nlet x = try! load()",
        ])
    func planted(text: String) {
        #expect(UnsafeCode.violations(in: SourceFile(path: "Sources/Zoo/A.swift", text: text)).count == 1)
    }

    @Test(
        "The scanner accepts a reason directly above, and words in a comment",
        arguments: [
            "// The pattern is a literal.\nlet x = try! load()",
            "    /// Guarded by a lock.\n    class A: @unchecked Sendable {}",
            "// never try! this", "let harmless = a as? Int",
        ])
    func explained(text: String) {
        #expect(UnsafeCode.violations(in: SourceFile(path: "Sources/Zoo/A.swift", text: text)).isEmpty)
    }
}
