import Foundation

/// Constructs that end the process or switch a check off: each needs a reason directly above it.
struct UnsafeCode {
    private static let constructs = ["try!", " as! ", "fatalError(", "@unchecked Sendable"]

    static func violations(in file: SourceFile) -> [Violation] {
        let lines = file.lines
        return lines.indices.compactMap { index in
            let code = withoutComment(lines[index])
            guard let construct = constructs.first(where: code.contains), !isExplained(index, in: lines) else {
                return nil
            }
            return Violation(path: file.path, line: index + 1, reason: "\(construct) without a comment directly above")
        }
    }

    private static func isExplained(_ index: Int, in lines: [String]) -> Bool {
        guard index > 0 else { return false }
        return lines[index - 1].drop { $0 == " " }.hasPrefix("//")
    }

    private static func withoutComment(_ line: String) -> String {
        line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
    }
}
