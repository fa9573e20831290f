import Foundation

/// Markup that the content security policy would refuse: styles, scripts and handlers inside the page.
struct InlineMarkup {
    static func violations(in file: SourceFile) -> [Violation] {
        file.lines.enumerated().compactMap { index, line in
            guard !line.drop(while: { $0 == " " }).hasPrefix("//"), let reason = reason(against: line) else {
                return nil
            }
            return Violation(path: file.path, line: index + 1, reason: reason)
        }
    }

    private static func reason(against line: String) -> String? {
        if line.contains(/[\s"]style=["'\\]/) || line.contains(/Attribute\("style"/) { return "an inline style" }
        if line.contains(/<script(?![^>]*\ssrc=)/) { return "a script in the page" }
        if line.contains(/element\(\s*"script"/), !line.contains(".src(") { return "a script in the page" }
        if line.contains(/[\s"]on[a-z]+=["'\\]/) || line.contains(/Attribute\("on[a-z]+"/) {
            return "an inline handler"
        }
        if line.contains(/element\(\s*"style"/) || line.contains(/<style[\s>]/) { return "a style sheet in the page" }
        return nil
    }
}
