import Foundation
import Testing

@Suite("HTML escaping", .server)
struct EscapingTests {
    private static let polyglots = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)",
        "</title><svg onload=alert(1)>",
        "\"\u{301} onmouseover=\"alert(1)", "</textarea><script>", "<!--", "&lt;b&gt;", "]]>",
    ]

    @Test("The list, the sheet and the delete question escape an animal's name", arguments: polyglots)
    func animal(name: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal(name)
        for path in ["/admin/animals?size=200", "/admin/animals/\(id)", "/admin/animals/delete?id=\(id)"] {
            expectText(name, in: try await browser.get(path), at: path)
        }
    }

    @Test("Cells, choices and the delete question escape a category's name", arguments: polyglots)
    func category(name: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addCategory(name)
        try await browser.addAnimal("Member", category: id)
        for path in ["/admin/animals?size=200", "/admin/animals/new", "/admin/animal-categories/delete?id=\(id)"] {
            expectText(name, in: try await browser.get(path), at: path)
        }
    }

    @Test("The list, the overview and the sheet escape a draft's text", arguments: polyglots)
    func draft(name: String) async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal(name).with("diet", name)
        #expect(try await browser.keep(form).status == 204)
        for path in ["/admin", "/admin/animals?size=200", "/admin/animals/new"] {
            expectText(name, in: try await browser.get(path), at: path)
        }
    }

    @Test("An invalid form escapes its text", arguments: polyglots)
    func invalid(text: String) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post(
            "/admin/animals", try await browser.newAnimal(text).with("diet", text).with("category", text))
        #expect(answer.status == 422)
        expectText(text, in: answer, at: "422")
    }

    @Test("An error page never contains the requested address", arguments: ["<script>alert(1)</script>", "\"onload=x"])
    func address(text: String) async throws {
        let path = "/admin/" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        let answer = try await Browser(try .shared).get(path)
        #expect(answer.status == 404)
        #expect(!answer.source.contains(text))
    }

    /// Checks that the page contains the escaped text, and does not contain the text as markup.
    private func expectText(_ text: String, in answer: Answer, at path: String) {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "'", with: "&#39;")
        let bytes = Data(answer.source.utf8)
        // Quotation marks are compared as bytes. As characters they would combine with a following combining mark.
        let wanted = Data(escaped.utf8).split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { Data($0) }.joined(separator: Data("&quot;".utf8))
        #expect(bytes.range(of: Data(wanted)) != nil, "\(path) does not show the text.")
        if Data(wanted) != Data(text.utf8) {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(path) holds the text as markup.")
        }
    }
}
