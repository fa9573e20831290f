import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Rules across fields are told beside them")
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

    @Test("at the field that they name, before anything is sent to the store")
    func field() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, "began=2026-03-05&returned=2026-03-04")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [FieldProblem(property: "returned", message: "Choose a later day.")])
        #expect(await records.submissions.isEmpty)
        #expect(editor.fields["returned"] == "2026-03-04")
    }

    @Test("above all of them, without a link, when they name none")
    func record() async throws {
        var editor = try editor(RecordsInMemory(), "began=2026-01-01&returned=")
        #expect(await editor.save(at: .now) == .invalid)
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        #expect(String(decoding: html.bytes, as: UTF8.self).contains("<li>A loan is not made on a holiday.</li>"))
    }

    @Test("only when each field by itself is right")
    func order() async throws {
        var editor = try editor(RecordsInMemory(), "began=2026-01-01&returned=soon")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["returned"])
    }

    @Test("a record that has several values together with another names the first and the others")
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
