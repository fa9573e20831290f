import Testing

@Suite("@Model explains an enum of its own that is not a Choice")
struct EnumDiagnosticsTests {
    @Test(
        "the error is at the enum; the fix-it adds Choice and keeps what Choice does not imply",
        arguments: [
            ("enum Mount: String {", "enum Mount: String, Choice {"), ("enum Mount {", "enum Mount: String, Choice {"),
            ("enum Mount: String, Codable, CaseIterable {", "enum Mount: String, Choice {"),
            ("enum Mount: Int, Codable, Comparable {", "enum Mount: Int, Choice, Comparable {"),
            ("enum Mount: Codable {", "enum Mount: String, Choice {"),
        ])
    func withoutChoice(declaration: String, repaired: String) {
        let result = MacroDiagnostics(
            ofProperty: "\(declaration) case altazimuth, equatorial }\n    var mount: Mount = .equatorial")
        let text = repaired.dropLast(2)
        #expect(result.messages == ["2: the enum 'Mount' of a stored property is not a Choice: write '\(text)'"])
        #expect(
            result.fixes["add 'Choice'"]?.contains("    \(repaired) case altazimuth, equatorial }\n    var mount")
                == true
        )
    }

    @Test(
        "it is found behind an optional, an array and a set",
        arguments: ["Mount?", "[Mount]", "Set<Mount>", "[Mount]?", "Optional<Mount>"])
    func wrapped(type: String) {
        let result = MacroDiagnostics(ofProperty: "enum Mount: String { case none }\n    var mount: \(type)")
        #expect(
            result.messages == [
                "2: the enum 'Mount' of a stored property is not a Choice: write 'enum Mount: String, Choice'"
            ])
    }

    @Test("several properties of the enum cause one error")
    func once() {
        let result = MacroDiagnostics(
            ofProperty: "enum Mount: String { case none }\n    var first: Mount\n    var second: Mount?")
        #expect(result.messages.count == 1)
    }

    @Test(
        "an enum that is a choice, that may be one, or that no property stores passes",
        arguments: [
            "enum Mount: String, Choice { case none }\n    var mount: Mount",
            "enum Mount: String, Labelled { case none }\n    var mount: Mount",
            "enum Mount: Codable { case fork(arms: Int) }\n    var mount: Mount",
            "enum Mount: String { case none }\n    var mount: String",
            "enum Mount: String { case none }\n    @Transient var mount: Mount = .none",
            "enum Mount: String { case none }\n    var mount: Mount { .none }",
        ])
    func allowed(members: String) {
        #expect(MacroDiagnostics(ofProperty: members).messages.isEmpty)
    }
}
