import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Secret fields")
struct SecretFieldTests {
    private static let schema = ModelSchema(
        name: "Supplier",
        properties: [
            property("name", .string, attributes: [.required]),
            property("accessKey", .string, isOptional: true, attributes: [.secret, .length(6...)]),
            property("pin", .string, attributes: [.secret, .required]),
        ])
    private static let stored = Record(
        id: .version7(), version: 7, values: [.text("Hay"), .text("opensesame"), .text("p4711")])

    @Test("A stored secret is an empty password field")
    func shown() throws {
        let html = render(try editing())
        #expect(
            html.contains(#"<input type="password" id="field-accessKey" name="accessKey" autocomplete="new-password""#))
        #expect(!html.contains("opensesame") && !html.contains("p4711"))
        #expect(try editing().fields == ["name": "Hay", "accessKey": "", "pin": ""])
        #expect(html.contains("Leave empty to keep the saved value."))
    }

    @Test("An empty secret field keeps the stored secret and is not submitted")
    func untouched() async throws {
        let records = RecordsInMemory()
        var editor = try submitted(records, "name=Hay&accessKey=&pin=")
        _ = await editor.save(at: .now)
        #expect(await records.submissions.map(\.values) == [["name": .text("Hay")]])
    }

    @Test("A typed secret is saved")
    func typed() async throws {
        let records = RecordsInMemory()
        var editor = try submitted(records, "name=Hay&accessKey=new-key&pin=")
        _ = await editor.save(at: .now)
        #expect(await records.submissions.map(\.values) == [["name": .text("Hay"), "accessKey": .text("new-key")]])
    }

    @Test("An optional secret can be cleared, but a required secret cannot")
    func cleared() async throws {
        let records = RecordsInMemory()
        let form = "name=Hay&accessKey=&accessKey.clear=true&pin=&pin.clear=true"
        var editor = try submitted(records, form)
        let html = render(editor)
        #expect(html.contains(#"name="accessKey.clear" value="true" checked"#))
        #expect(!html.contains("pin.clear"))
        _ = await editor.save(at: .now)
        #expect(await records.submissions.map(\.values) == [["name": .text("Hay"), "accessKey": .null]])
    }

    @Test("A new record needs its required secret")
    func new() async throws {
        let records = RecordsInMemory()
        var without = try submitted(records, "name=Hay&accessKey=&pin=", version: nil)
        #expect(await without.save(at: .now) == .invalid)
        #expect(without.problems == [FieldProblem(property: "pin", message: "The supplier needs a pin.")])
        var with = try submitted(records, "name=Hay&accessKey=&pin=p4711", version: nil)
        _ = await with.save(at: .now)
        #expect(
            await records.submissions.map(\.values) == [
                ["name": .text("Hay"), "accessKey": .null, "pin": .text("p4711")]
            ])
        #expect(!render(with).contains(".clear"))
    }

    @Test("A rejected form does not show a typed secret and asks for it again")
    func refused() async throws {
        var editor = try submitted(RecordsInMemory(), "name=&accessKey=opensesame&pin=")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["name", "accessKey"])
        #expect(editor.problems.last?.message == "Enter this again. Secret values don’t stay on the page.")
        #expect(!render(editor).contains("opensesame"))
    }

    @Test("A rule of a secret is reported without its value")
    func rules() async throws {
        var editor = try submitted(RecordsInMemory(), "name=Hay&accessKey=abc&pin=")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems == [FieldProblem(property: "accessKey", message: "Enter at least 6 characters.")])
        #expect(!render(editor).contains("abc"))
    }

    @Test("A conflict shows neither the stored nor the typed secret")
    func conflict() async throws {
        let current = Record(id: .version7(), version: 9, values: [.text("Hay"), .text("stored-key"), .text("p0815")])
        let records = RecordsInMemory(refusal: .conflict(model: "Supplier", current: current))
        var editor = try submitted(records, "name=Straw&accessKey=typed-key&pin=")
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.comparisons.mapValues(\.theirs) == ["name": "Hay"])
        let html = render(editor)
        #expect(!html.contains("stored-key") && !html.contains("typed-key") && !html.contains("p0815"))
    }

    @Test("A draft contains no secret, only that a secret is cleared")
    func draft() throws {
        let editor = try submitted(RecordsInMemory(), "name=Hay&accessKey=opensesame&accessKey.clear=true&pin=p4711")
        let draft = editor.makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: .distantPast)
        #expect(
            draft.fields == [FormField(name: "name", value: "Hay"), FormField(name: "accessKey.clear", value: "true")])
        let continued = try EditorViewModel(
            continuing: draft, of: Self.schema, stored: Self.stored, repository: RecordsInMemory(), principal: .ada)
        #expect(continued.clearedSecrets == ["accessKey"] && continued.fields["accessKey"] == "")
    }

    private func editing() throws -> EditorViewModel {
        try EditorViewModel(editing: Self.stored, of: Self.schema, repository: RecordsInMemory(), principal: .ada)
    }

    private func submitted(_ records: RecordsInMemory, _ fields: String, version: Int64? = 7) throws -> EditorViewModel
    {
        let text =
            "draft=\(UUID.version7().canonicalText)&id=\(UUID.version7().canonicalText)"
            + "&version=\(version.map(String.init) ?? "")&\(fields)"
        return try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: Self.schema), of: Self.schema,
            stored: version == nil ? nil : Self.stored, repository: records, principal: .ada)
    }

    private func render(_ editor: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
