import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("A form is filled with the values of another time or another record")
struct FillingTests {
    private static let values: [String: FieldValue] = [
        "name": .text("Kea"), "seen": .text("2026-11-20T18:39:55.123Z"),
        "category": .text("0192f0c1-2a3b-7c4d-8e5f-001122334455"),
    ]

    @Test("A date and time stands there as a browser's control takes it, and saving stores it")
    func dates() async throws {
        let records = RecordsInMemory()
        var editor = try EditorViewModel(adding: animalSchema, repository: records, principal: .ada)
        editor.fillIn(Self.values)
        #expect(editor.fields["seen"] == "2026-11-20T18:39:55.123")
        _ = await editor.save(at: .now)
        #expect(await records.submissions.first?.values["seen"] == .text("2026-11-20T18:39:55.123Z"))
    }

    @Test("What this form cannot set, and what is not among the values, stays as it is")
    func fixed() throws {
        var sheet = SheetConfiguration()
        sheet.readOnly = ["name"]
        let viewer = Role("viewer of animals", .allow([.view, .edit], onModelNamed: "Animal"))
        var editor = try EditorViewModel(
            editing: okapi(), of: animalSchema, sheet: sheet, repository: RecordsInMemory(),
            principal: Principal(account: UUID(), name: "eve", role: viewer, epoch: 1)
        )
        editor.fillIn(Self.values)
        #expect(editor.fields["name"] == "Okapi" && editor.fields["legs"] == "4")
        #expect(editor.fields["category"] == "", "whose records may not be seen")
    }
}
