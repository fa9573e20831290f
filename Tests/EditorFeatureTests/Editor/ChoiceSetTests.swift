import AviaryDesign
import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("A set of choices in a form")
struct ChoiceSetTests {
    @Test("Each choice has a checkbox, and those of the set are checked")
    func checkboxes() throws {
        let page = Self.render(try editor([.sunday, .monday]))
        let boxes = page.matches(of: /<input type="checkbox" id="[^"]*" name="days" value="([a-z]+)"( checked)?/)
        #expect(boxes.map { String($0.1) } == ["monday", "tuesday", "sunday"])
        #expect(boxes.map { $0.2 != nil } == [true, false, true])
        #expect(page.contains(">Sunday<") && !page.contains("One per line"))
    }

    @Test(
        "The checked boxes are the value, and no checked box is an empty set",
        arguments: [
            ([""], []), (["", "sunday"], [.sunday]), (["", "monday", "sunday"], [.monday, .sunday]),
            (["monday\r\nsunday"], [.monday, .sunday]),
        ] as [([String], Set<OpeningDay>)])
    func submitted(values: [String], days: Set<OpeningDay>) async throws {
        let form = try submission(values)
        let text = try #require(form.fields["days"])
        let property = try #require(Shop.schema.property("days"))
        #expect(try property.parse(typed: text).get() == days.fieldValue)
    }

    @Test("A form without the boxes keeps the stored value")
    func absent() throws {
        #expect(try submission([]).fields["days"] == nil)
    }

    @Test("A value that is no choice stays as it was sent, with an error")
    func unknown() async throws {
        var editor = try EditorViewModel(
            submitted: try submission(["", "monday", "someday"]), of: Shop.schema, stored: nil,
            repository: RecordsInMemory(schema: Shop.schema), principal: .ada)
        #expect(await editor.save(at: .now) == .invalid)
        let page = Self.render(editor)
        #expect(page.contains("monday\nsomeday</textarea>"))
        #expect(page.contains("Line 2: Choose one of: monday, tuesday, sunday."))
    }

    @Test("A set that cannot be edited is the labels of its choices")
    func fixed() throws {
        var sheet = SheetConfiguration()
        sheet.readOnly = ["days"]
        #expect(Self.render(try editor([.sunday, .monday], sheet)).contains(">Monday and Sunday</output>"))
    }

    private func editor(_ days: Set<OpeningDay>, _ sheet: SheetConfiguration = .init()) throws -> EditorViewModel {
        let record = Record(id: .version7(), version: 1, values: [days.fieldValue])
        return try EditorViewModel(
            editing: record, of: Shop.schema, sheet: sheet, repository: RecordsInMemory(schema: Shop.schema),
            principal: .ada)
    }

    private func submission(_ values: [String]) throws -> FormSubmission {
        let identity = ["draft", "id"].map { FormField(name: $0, value: UUID.version7().canonicalText) }
        return try FormSubmission(identity + values.map { FormField(name: "days", value: $0) }, of: Shop.schema)
    }

    private static func render(_ model: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: model, choices: [:], csrf: "token", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}

enum OpeningDay: String, Choice {
    case monday, tuesday, sunday
}

private struct Shop: Model {
    var id = RecordID<Shop>()
    var days: Set<OpeningDay> = []

    static let schema = ModelSchema(Shop.self, [PropertyDefinition(\.days, "days")])

    init(from reader: inout FieldReader) throws {
        days = try reader.next("days")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(days)
    }
}
