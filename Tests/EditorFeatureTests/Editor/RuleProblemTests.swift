import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Rules across fields")
struct RuleProblemTests {
    /// A schema with a `validate()` rule for one field and one for the whole record.
    private static let schema = ModelSchema(
        name: "Loan",
        properties: [property("began", .calendarDate), property("returned", .calendarDate, isOptional: true)],
        validation: { record in
            switch (record.values.first, record.values.last) {
            case (.text("2026-01-01"), _): [FieldProblem("A loan is not made on a holiday.")]
            case (.text(let began), .text(let returned)) where returned < began:
                [FieldProblem(property: "returned", message: "Choose a later day.")]
            default: []
            }
        }
    )

    @Test("A rule that names a field is reported at the field, and nothing is submitted")
    func field() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, "began=2026-03-05&returned=2026-03-04")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [FieldProblem(property: "returned", message: "Choose a later day.")])
        #expect(await records.submissions.isEmpty)
        #expect(editor.fields["returned"] == "2026-03-04")
    }

    @Test("A rule without a field is reported above the form")
    func record() async throws {
        var editor = try editor(RecordsInMemory(), "began=2026-01-01&returned=")
        #expect(await editor.save(at: .now) == .invalid)
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        #expect(String(decoding: html.bytes, as: UTF8.self).contains("<li>A loan is not made on a holiday.</li>"))
    }

    @Test("Rules across fields are checked only if each field is valid")
    func order() async throws {
        var editor = try editor(RecordsInMemory(), "began=2026-01-01&returned=soon")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["returned"])
    }

    @Test("A duplicate combination is reported at its first field")
    func together() async throws {
        let records = RecordsInMemory(refusal: .notUniqueTogether(model: "Loan", properties: ["began", "returned"]))
        var editor = try editor(records, "began=2026-03-05&returned=")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [
                FieldProblem(
                    property: "began",
                    message: "Another loan already has this combination of began and returned. Change one of them.")
            ])
    }

    private func editor(_ records: RecordsInMemory, _ fields: String) throws -> EditorViewModel {
        let text = "draft=\(UUID.version7().canonicalText)&id=\(UUID.version7().canonicalText)&version=&\(fields)"
        return try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: Self.schema), of: Self.schema,
            stored: nil,
            repository: records, principal: .ada)
    }
}
