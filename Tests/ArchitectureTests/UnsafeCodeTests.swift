import Foundation
import TestSupport
import Testing

@Suite("Unsafe constructs need a reason")
struct UnsafeCodeTests {
    @Test("Every unsafe construct in the sources has a reason")
    func sources() async throws {
        let files = try SourceTree.swiftFiles(below: "Sources")
        let violations = await onThread { files.flatMap(UnsafeCode.violations) }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "The scanner finds each construct",
        arguments: [
            "let x = try! load()", "let y = x as! Int", "fatalError(\"x\")", "final class A: @unchecked Sendable {}",
            "// why\n\nlet x = try! load()", "let z = try? load()", "/// Returns z.\nreturn (try? load())",
        ])
    func planted(text: String) {
        #expect(UnsafeCode.violations(in: SourceFile(path: "Sources/Zoo/A.swift", text: text)).count == 1)
    }

    @Test(
        "The scanner accepts a reason directly above, that of an ignored error on its line, and words in a comment",
        arguments: [
            "// The pattern is a literal.\nlet x = try! load()",
            "    /// Guarded by a lock.\n    class A: @unchecked Sendable {}",
            "// never try! this", "let harmless = a as? Int", "let z = try? load()  // there may be none",
            "// There may be none.\nlet z = try? load()", "var next: Entry?",
        ])
    func explained(text: String) {
        #expect(UnsafeCode.violations(in: SourceFile(path: "Sources/Zoo/A.swift", text: text)).isEmpty)
    }
}

/// A check for constructs that end the process or disable a check. Each needs a comment with the reason directly
/// above it. An error that is ignored needs one on its line or directly above, which is not the documentation.
struct UnsafeCode {
    private static let constructs = ["try!", " as! ", "fatalError(", "@unchecked Sendable"]

    static func violations(in file: SourceFile) -> [Violation] {
        let lines = file.lines
        return lines.indices.compactMap { index in
            let code = withoutComment(lines[index])
            if ignoresError(code), code == lines[index], !isExplained(index, in: lines, by: "// ") {
                return Violation(path: file.path, line: index + 1, reason: "try? without a comment")
            }
            guard let construct = constructs.first(where: code.contains), !isExplained(index, in: lines) else {
                return nil
            }
            return Violation(path: file.path, line: index + 1, reason: "\(construct) without a comment directly above")
        }
    }

    private static func ignoresError(_ code: String) -> Bool {
        code.ranges(of: "try?").contains { range in
            range.lowerBound == code.startIndex || !code[code.index(before: range.lowerBound)].isLetter
        }
    }

    private static func isExplained(_ index: Int, in lines: [String], by beginning: String = "//") -> Bool {
        guard index > 0 else { return false }
        return lines[index - 1].drop { $0 == " " }.hasPrefix(beginning)
    }

    private static func withoutComment(_ line: String) -> String {
        line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
    }
}
