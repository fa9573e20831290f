import AllTypesModel
import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Form controls for every type")
struct TypeControlTests {
    private let html: String

    init() throws {
        html = try Self.render(.greatest)
    }

    @Test(
        "Numbers have text fields with their bounds as hints",
        arguments: [
            (
                #"<input type="text" class="number" id="field-int8" name="int8" value="127""#,
                "A whole number from -128 to 127"
            ),
            (#"name="uint8" value="255" inputmode="numeric""#, "A whole number from 0 to 255"),
            (
                #"name="uint64" value="9223372036854775807" inputmode="numeric""#,
                "A whole number from 0 to 9,223,372,036,854,775,807"
            ),
            (#"name="price" value="92233720368547758.07""#, "Up to 2 digits after the decimal point"),
            (#"name="mass" value="9223372036854.775807""#, "Up to 6 digits after the decimal point"),
        ])
    func numbers(control: String, hint: String) {
        #expect(html.contains(control))
        #expect(html.contains(hint))
    }

    @Test("Data is edited as Base64 in a text area, with its size")
    func data() throws {
        #expect(html.contains(#"<textarea id="field-maybeImage""#))
        #expect(html.contains("AAEC"))
        #expect(html.contains("3 bytes, as Base64. Empty the field to remove the value."))
        #expect(html.contains("65,536 bytes, as Base64"))
        #expect(try Self.render(Exhibit()).contains(#"<p class="help" id="help-image">As Base64</p>"#))
    }

    @Test("A web address has a link, and other URLs do not")
    func addresses() throws {
        #expect(
            html.contains(
                #"<input type="url" id="field-page" name="page" value="https://user@example.com:8443/a%20b/?q=1&amp;r=%C3%A9#part""#
            ))
        #expect(
            html.contains(
                #"<a href="https://user@example.com:8443/a%20b/?q=1&amp;r=%C3%A9#part" rel="noopener noreferrer" target="_blank">"#
            ))
        var exhibit = Exhibit()
        exhibit.page = try #require(URL(string: "javascript:alert(1)"))
        let unsafe = try Self.render(exhibit)
        #expect(unsafe.contains(#"value="javascript:alert(1)""#))
        #expect(!unsafe.contains("<a href=\"javascript") && !unsafe.contains("Open in a new tab"))
    }

    @Test("JSON is indented, and invalid JSON stays as typed with its problem")
    func json() async throws {
        #expect(html.contains("{\n  &quot;country&quot;: &quot;Zaïre\\n\\&quot;D.R.C.\\&quot;&quot;,"))
        var fields = Exhibit.schema.storedProperties.map {
            FormField(name: $0.name, value: $0.formText(of: Exhibit.greatest.fieldValues[$0.name] ?? .null))
        }
        fields += [
            FormField(name: "origin", value: #"{"country": <b>"#),
            FormField(name: "draft", value: UUID.version7().canonicalText),
            FormField(name: "id", value: UUID.version7().canonicalText),
        ]
        var editor = try EditorViewModel(
            submitted: try FormSubmission(fields, of: Exhibit.schema), of: Exhibit.schema, stored: nil,
            repository: RecordsInMemory(), principal: .ada)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [
                FieldProblem(property: "origin", message: "This JSON doesn’t fit: it is not written as JSON.")
            ])
        let page = try Self.render(editor)
        #expect(page.contains("{&quot;country&quot;: &lt;b&gt;</textarea>"))
        #expect(page.contains("This JSON doesn’t fit: it is not written as JSON."))
    }

    @Test("An integer choice shows the names of its cases")
    func choice() {
        #expect(html.contains(#"value="7" checked"#) && html.contains("<span>Good</span>"))
    }

    @Test("Saving an unchanged form changes no value", arguments: [Exhibit(), .least, .greatest])
    func untouched(exhibit: Exhibit) async throws {
        let repository = RecordsInMemory()
        var editor = try Self.editor(exhibit, repository)
        guard case .saved = await editor.save(at: .now) else {
            Issue.record("\(editor.problems)")
            return
        }
        #expect(await repository.submissions.first?.values == exhibit.fieldValues)
    }

    @Test("A conflict shows only fields whose values differ, regardless of their notation")
    func conflict() async throws {
        var stored = Exhibit.greatest
        stored.price = 2.5
        let values = Exhibit.schema.storedProperties.map { stored.fieldValues[$0.name] ?? .null }
        let current = Record(id: stored.id.uuid, version: 9, values: values)
        var typed = Exhibit.schema.storedProperties.map {
            FormField(name: $0.name, value: $0.formText(of: stored.fieldValues[$0.name] ?? .null))
        }
        typed.removeAll { ["price", "label", "int8"].contains($0.name) }
        let label = try #require(Exhibit.schema.property("label")).formText(of: stored.label.fieldValue).replacing(
            "\n", with: " ")
        typed += [
            FormField(name: "price", value: "2.500"), FormField(name: "label", value: label),
            FormField(name: "int8", value: "1"),
            FormField(name: "draft", value: UUID.version7().canonicalText),
            FormField(name: "id", value: stored.id.uuid.canonicalText),
            FormField(name: "version", value: "7"),
        ]
        var editor = try EditorViewModel(
            submitted: try FormSubmission(typed, of: Exhibit.schema), of: Exhibit.schema, stored: current,
            repository: RecordsInMemory(refusal: .conflict(model: "Exhibit", current: current)), principal: .ada)
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.comparisons.mapValues(\.theirs) == ["int8": "127"])
    }

    private static func editor(_ exhibit: Exhibit, _ repository: RecordsInMemory = RecordsInMemory()) throws
        -> EditorViewModel
    {
        let values = Exhibit.schema.storedProperties.map { exhibit.fieldValues[$0.name] ?? .null }
        return try EditorViewModel(
            editing: Record(id: exhibit.id.uuid, version: 1, values: values), of: Exhibit.schema,
            repository: repository, principal: .ada)
    }

    private static func render(_ exhibit: Exhibit) throws -> String { render(try editor(exhibit)) }

    private static func render(_ editor: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "token", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
