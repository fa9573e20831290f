import Foundation
import TestSupport
import Testing

@Suite("No inline styles, scripts or handlers")
struct InlineMarkupTests {
    @Test("Components contain no inline styles, scripts or handlers")
    func design() async throws {
        let files = try SourceTree.swiftFiles(below: "Sources/AviaryDesign")
        #expect(files.count > 20)
        let violations = await onThread { files.flatMap(InlineMarkup.violations) }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "The scanner finds each kind of inline markup",
        arguments: [
            ##"html.literal(#"<p style="color:red">"#)"##, #"html.literal("<p style=\"color:red\">")"#,
            #"html.element("p", Attribute("style", "x"))"#, #"html.literal("<script>alert(1)</script>")"#,
            #"html.element("script", .type("module")) { _ in }"#, ##"html.literal(#"<a onclick="x()">"#)"##,
            #"html.void("img", Attribute("onerror", "x"))"#, #"html.literal("<style>p{}</style>")"#,
        ])
    func planted(line: String) {
        #expect(InlineMarkup.violations(in: SourceFile(path: "Sources/AviaryDesign/A.swift", text: line)).count == 1)
    }

    @Test(
        "The scanner accepts external scripts and similar text",
        arguments: [
            #"html.element("script", .type("module"), .src(assets.script)) { _ in }"#,
            ##"html.literal(#"<script type="module" src="/a.js"></script>"#)"##,
            ##"html.literal(#"<th scope="col">"#)"##, #"let condition = "on" "#, #"// <p style="x">"#,
        ])
    func harmless(line: String) {
        #expect(InlineMarkup.violations(in: SourceFile(path: "Sources/AviaryDesign/A.swift", text: line)).isEmpty)
    }
}

/// A check for markup that the content security policy blocks: inline styles, scripts and event handlers.
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
