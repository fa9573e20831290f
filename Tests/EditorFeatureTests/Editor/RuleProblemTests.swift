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
        properties: [
            property("began", .calendarDate), property("returned", .calendarDate, isOptional: true),
            property("note", .string, attributes: [.required], default: { .text("Nothing") }),
        ],
        validation: { record in
            switch (record.values[0], record.values[1]) {
            case (.text("2026-01-01"), _): [FieldProblem("A loan is not made on a holiday.")]
            case (.text(let began), .text(let returned)) where returned < began:
                [
                    FieldProblem(property: "returned", message: "Choose a later day."),
                    FieldProblem(property: "note", message: "Say why."),
                ]
            default: []
            }
        }
    )
    private let later = FieldProblem(property: "returned", message: "Choose a later day.")

    @Test("A rule that names a field is reported at the field, and nothing is submitted")
    func field() async throws {
        let records = RecordsInMemory()
        var editor = try editor(records, "began=2026-03-05&returned=2026-03-04&note=x")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [later, FieldProblem(property: "note", message: "Say why.")])
        #expect(await records.submissions.isEmpty)
        #expect(editor.fields["returned"] == "2026-03-04")
    }

    @Test("A rule without a field is reported above the form")
    func record() async throws {
        var editor = try editor(RecordsInMemory(), "began=2026-01-01&returned=&note=x")
        #expect(await editor.save(at: .now) == .invalid)
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        #expect(String(decoding: html.bytes, as: UTF8.self).contains("<li>A loan is not made on a holiday.</li>"))
    }

    @Test(
        "Rules across fields are checked only if each field is valid",
        arguments: [
            ("began=2026-01-01&returned=soon&note=x", ["returned"]),
            ("began=&returned=2026-03-04&note=", ["began", "note"]),
            ("began=2026-03-05&returned=2026-03-04&note=", ["note"]),
        ])
    func order(fields: String, wrong: [String]) async throws {
        var editor = try editor(RecordsInMemory(), fields)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == wrong)
    }

    @Test("Rules across fields of a changed record are checked only if each field is valid")
    func changed() async throws {
        let stored = Record(
            id: .version7(), version: 7, values: [.text("2026-03-05"), .text("2026-03-06"), .text("x")])
        for (note, wrong) in [("", ["note"]), ("y", ["returned", "note"])] {
            var editor = try editor(
                RecordsInMemory(), "began=2026-03-05&returned=2026-03-04&note=\(note)", stored: stored)
            #expect(await editor.save(at: .now) == .invalid)
            #expect(editor.problems.map(\.property) == wrong)
        }
    }

    @Test("A field that the sheet does not set has its default in the rules across fields")
    func defaults() async throws {
        var sheet = SheetConfiguration()
        sheet.readOnly = ["note"]
        var editor = try editor(RecordsInMemory(), "began=2026-03-05&returned=2026-03-04", sheet: sheet)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.contains(later))
    }

    @Test("A duplicate combination is reported at its first field")
    func combination() async throws {
        let records = RecordsInMemory(refusal: .notUniqueTogether(model: "Loan", properties: ["began", "returned"]))
        var editor = try editor(records, "began=2026-03-05&returned=&note=x")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [
                FieldProblem(
                    property: "began",
                    message: "Another loan already has this combination of began and returned. Change one of them.")
            ])
    }

    private func editor(
        _ records: RecordsInMemory, _ fields: String, stored: Record? = nil, sheet: SheetConfiguration = .init()
    ) throws -> EditorViewModel {
        let id = stored?.id ?? .version7(), version = stored.map { String($0.version) } ?? ""
        let text = "draft=\(UUID.version7().canonicalText)&id=\(id.canonicalText)&version=\(version)&\(fields)"
        return try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: Self.schema), of: Self.schema,
            sheet: sheet, stored: stored, repository: records, principal: .ada)
    }
}
