import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Hints below fields")
struct HintTests {
    private let page: String

    init() throws {
        page = Self.render(
            try EditorViewModel(
                adding: Shelf.schema, repository: RecordsInMemory(schema: Shelf.schema), principal: .ada))
    }

    @Test(
        "A hint describes the declared bounds",
        arguments: [
            ("year", "From 1450 to 2100"), ("number", "At least 1"), ("share", "At most 0.5"),
            ("price", "At least 0, up to 2 digits after the decimal point"),
            ("code", "A code such as AB-12"),
        ])
    func hints(field: String, hint: String) {
        #expect(page.contains(#"<p class="help" id="help-\#(field)">\#(hint)</p>"#))
    }

    @Test(
        "a help text that the application declares comes before the bounds, and alone where there are none",
        arguments: [
            ("year", "Of the first print", "Of the first print. From 1450 to 2100"),
            ("number", "Counts the copies.", "Counts the copies. At least 1"),
            ("title", "As on its spine", "As on its spine"), ("share", "", "At most 0.5"),
        ])
    func help(field: String, text: String, shown: String) throws {
        var sheet = SheetConfiguration()
        sheet.help = [field: text]
        let page = Self.render(
            try EditorViewModel(
                adding: Shelf.schema, sheet: sheet, repository: RecordsInMemory(schema: Shelf.schema), principal: .ada))
        #expect(page.contains(#"<p class="help" id="help-\#(field)">\#(shown)</p>"#))
    }

    @Test("A text that can be long gets a text area, and any other text a single line")
    func paragraphs() {
        #expect(page.contains(#"<textarea id="field-summary""#))
        #expect(page.contains(#"<input type="text" id="field-title""#))
        #expect(page.contains(#"<input type="text" id="field-code""#))
    }

    @Test("Problems are listed in field order")
    func order() async throws {
        var fields = [
            FormField(name: "draft", value: UUID.version7().canonicalText),
            FormField(name: "id", value: UUID.version7().canonicalText),
        ]
        fields += [("title", ""), ("year", "1200"), ("number", "many"), ("share", "0.25"), ("code", "ab")].map {
            FormField(name: $0.0, value: $0.1)
        }
        var editor = try EditorViewModel(
            submitted: try FormSubmission(fields, of: Shelf.schema), of: Shelf.schema, stored: nil,
            repository: RecordsInMemory(schema: Shelf.schema), principal: .ada
        )
        #expect(await editor.save(at: .now) == .invalid)
        let listed = Self.render(editor).matches(of: /href="#field-([a-z]+)"/).map { String($0.1) }
        #expect(listed == ["title", "year", "number", "code"])
    }

    @Test("The form of a record without a name does not show its id")
    func nameless() throws {
        let record = Record(id: .version7(), version: 1, values: Shelf.schema.defaultValues)
        let editor = try EditorViewModel(
            editing: record, of: Shelf.schema, repository: RecordsInMemory(schema: Shelf.schema), principal: .ada)
        let sheet = Self.render(editor)
        #expect(!sheet.contains(">\(record.id.canonicalText)<"))
        #expect(sheet.contains("Edit shelf"))
    }

    private static func render(_ model: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: model, choices: [:], csrf: "token", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}

private struct Address: Embedded {
    var street: String
    var town: String

    static let embeddedProperties = [
        EmbeddedProperty(\Address.street, "street"), EmbeddedProperty(\Address.town, "town"),
    ]
}

private struct Shelf: Model {
    var id = RecordID<Shelf>()
    var title = ""
    var year: Int16?
    var number = 1
    var share = 0.5
    var price: Decimal?
    var code: String?
    var address: Address?
    var summary = ""

    static let schema = ModelSchema(
        Shelf.self,
        [
            PropertyDefinition(\.title, "title", attributes: [.required, .length(...200)]),
            PropertyDefinition(\.year, "year", attributes: [.range(1450...2100)]),
            PropertyDefinition(\.number, "number", attributes: [.range(1...)]),
            PropertyDefinition(\.share, "share", attributes: [.range(...0.5)]),
            PropertyDefinition(\.price, "price", attributes: [.scale(2), .range(0...)]),
            PropertyDefinition(\.code, "code", attributes: [.pattern("[A-Z]{2}-[0-9]+", hint: "a code such as AB-12")]),
            PropertyDefinition(\.address, "address"),
            PropertyDefinition(\.summary, "summary", attributes: [.length(...4000)]),
        ])

    init(from reader: inout FieldReader) throws {
        title = try reader.next("title")
        year = try reader.next("year")
        number = try reader.next("number")
        share = try reader.next("share")
        price = try reader.next("price")
        code = try reader.next("code")
        address = try reader.next("address")
        summary = try reader.next("summary")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(title)
        writer.bind(year)
        writer.bind(number)
        writer.bind(share)
        writer.bind(price)
        writer.bind(code)
        writer.bind(address)
        writer.bind(summary)
    }
}
