import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Rendering an editor")
struct EditorViewTests {
    private static let hostile = #"<script>alert("1")</script>' autofocus onfocus='x""#

    @Test("The select of a reference begins with a prompt")
    func prompt() throws {
        let html = render(try adding())
        #expect(html.contains(#"<option value="">Select a category</option>"#))
    }

    @Test("The chosen record is selected")
    func selected() throws {
        let choice = RecordChoice(id: .version7(), title: "Mammals")
        let editor = try editor(RecordsInMemory(), "\(valid)&category=\(choice.id.canonicalText)")
        let html = render(editor, choices: ["category": [choice]])
        #expect(html.contains(#"<option value="\#(choice.id.canonicalText)" selected>Mammals</option>"#))
    }

    @Test("A form contains the draft, the record, the version and the location")
    func hidden() throws {
        let editor = try editor(RecordsInMemory(), valid, version: 7)
        let html = render(editor, location: "sort=-name&size=10")
        #expect(html.contains(#"name="draft" value="\#(editor.draft.canonicalText)""#))
        #expect(html.contains(#"name="id" value="\#(editor.record.canonicalText)""#))
        #expect(html.contains(#"name="version" value="7""#))
        #expect(html.contains(#"name="return" value="sort=-name&amp;size=10""#))
        #expect(html.contains(#"name="csrf" value="token""#))
    }

    @Test("Fields, choices and record names are escaped")
    func escaping() throws {
        let draft = draft(
            version: 1,
            fields: [FormField(name: "name", value: Self.hostile), FormField(name: "legs", value: Self.hostile)])
        let editor = try EditorViewModel(
            continuing: draft, of: animalSchema, stored: okapi(version: 1, name: Self.hostile),
            repository: RecordsInMemory(), principal: .ada
        )
        let html = render(editor, choices: ["category": [RecordChoice(id: .version7(), title: Self.hostile)]])
        #expect(!html.contains("<script"))
        #expect(!html.contains("' autofocus onfocus='"))
        #expect(html.contains("&lt;script&gt;"))
    }

    @Test("A conflict shows both versions, escaped, with neither selected")
    func conflict() async throws {
        let current = okapi(version: 9, name: "<b>Okapia</b>")
        var editor = try editor(
            RecordsInMemory(refusal: .conflict(model: "Animal", current: current)),
            "name=Okapi&diet=carnivorous&isTame=true", version: 7)
        _ = await editor.save(at: .now)
        let html = render(editor)
        #expect(
            html.contains(
                #"<input type="radio" name=".keep.name" value="theirs"><span><strong>Saved version</strong><span class="version" dir="auto">&lt;b&gt;Okapia&lt;/b&gt;</span>"#
            ))
        #expect(html.contains(#"<span class="version" dir="auto">Herbivorous</span>"#))
        #expect(
            html.contains(#"name=".against" value="9""#)
                && html.contains(#"name=".compared" value="diet legs name seen""#))
        #expect(html.contains(#"name="version" value="7""#))
        #expect(!html.contains("<b>Okapia"))
    }

    @Test("An invalid field shows its problem, and the summary links to it")
    func problems() async throws {
        var editor = try editor(RecordsInMemory(), "name=&diet=herbivorous&isTame=true")
        _ = await editor.save(at: .now)
        let html = render(editor)
        #expect(html.contains(##"<a href="#field-name">Name: The animal needs a name.</a>"##))
        #expect(html.contains("The animal needs a name.</p>") && !html.contains("Name: The animal needs a name.</p>"))
        #expect(html.contains(#"aria-invalid="true""#))
    }

    @Test("Only a continued draft shows that it is saved")
    func note() throws {
        let continued = try EditorViewModel(
            continuing: draft(fields: []), of: animalSchema, stored: nil, repository: RecordsInMemory(), principal: .ada
        )
        #expect(render(continued).contains("Draft saved in this browser. Changes apply once you save."))
        #expect(try !render(adding()).contains("Draft saved"))
    }

    @Test("A date field is labeled as UTC")
    func zone() throws {
        #expect(try render(adding()).contains("Seen (UTC)"))
    }

    @Test("What cannot be set is shown as in a list: words for a yes, a day with its month, nothing as a dash")
    func fixedValues() throws {
        let record = Record(
            id: .version7(), version: 1,
            values: [
                .text("Okapi"), .text("herbivorous"), .integer(12_400), .integer(1),
                .text("2026-11-20T18:39:55.123Z"), .null,
            ])
        let viewer = Principal(
            account: UUID(), name: "eve", role: Role("viewer", .allowEverywhere(.view)), epoch: 1)
        let html = render(
            try EditorViewModel(
                editing: record, of: animalSchema, repository: RecordsInMemory(), principal: viewer))
        for shown in ["Herbivorous", "12,400", "Yes", "20 Nov 2026, 18:39 UTC", "–"] {
            #expect(html.contains(#"<dd class="fixed" dir="auto">\#(shown)</dd>"#), "\(shown)")
        }
        #expect(!html.contains("Seen (UTC)"), "The value names its zone.")
    }

    // A browser drops the line breaks in a single-line field, so opening and saving would lose them.
    @Test("A multiline text is edited in a text area")
    func severalLines() throws {
        let html = render(try editor(RecordsInMemory(), "name=two%0Alines"))
        #expect(html.contains("<textarea"))
    }

    private func adding() throws -> EditorViewModel {
        try EditorViewModel(adding: animalSchema, repository: RecordsInMemory(), principal: .ada)
    }

    private func render(
        _ editor: EditorViewModel, choices: [String: [RecordChoice]] = [:], location: String = ""
    ) -> String {
        var html = HTML()
        html.render(EditorView(model: editor, choices: choices, csrf: "token", location: location))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
