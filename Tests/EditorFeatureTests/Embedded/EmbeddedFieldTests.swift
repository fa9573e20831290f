import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

private struct Place: Embedded {
    var street: String
    var floor: Int?
    var hasLift: Bool
    var isListed: Bool?
    static let embeddedProperties = [
        EmbeddedProperty(\Place.street, "street"), EmbeddedProperty(\Place.floor, "floor"),
        EmbeddedProperty(\Place.hasLift, "hasLift"),
        EmbeddedProperty(\Place.isListed, "isListed"),
    ]
}

private struct Deep: Embedded {
    var place: Place
    static let embeddedProperties = [EmbeddedProperty(\Deep.place, "place")]
}

private struct Home: Embedded {
    var street: String
    var country: String
    var isHeated: Bool
    static let embeddedProperties = [
        EmbeddedProperty(\Home.street, "street"), EmbeddedProperty(\Home.country, "country", default: "AT"),
        EmbeddedProperty(\Home.isHeated, "isHeated", default: true),
    ]
}

private func embedded<Value: Embedded>(_ name: String, _ type: Value.Type, isOptional: Bool = true) -> PropertySchema {
    PropertySchema(
        name: name, type: .json, isOptional: isOptional, attributes: [], keyPath: \Record.id, relationship: nil,
        makeDefault: nil,
        traits: Value.traits
    )
}

private struct Shelf: Embedded {
    enum Condition: Int, Choice {
        case good, worn

        var label: String { self == .good ? "As new" : "Worn out" }
    }

    var condition: Condition
    static let embeddedProperties = [EmbeddedProperty(\Shelf.condition, "condition")]
}

private struct Box: Embedded {
    var label: String
    var condition: Shelf.Condition
    var usual: Shelf.Condition
    var second: Shelf.Condition?
    var size: Int
    var isFull: Bool
    static let embeddedProperties = [
        EmbeddedProperty(\Box.label, "label"), EmbeddedProperty(\Box.condition, "condition"),
        EmbeddedProperty(\Box.usual, "usual", default: .good), EmbeddedProperty(\Box.second, "second"),
        EmbeddedProperty(\Box.size, "size"), EmbeddedProperty(\Box.isFull, "isFull"),
    ]
}

@Suite("Fields of embedded structs")
struct EmbeddedFieldTests {
    @Test("Who only reads sees each part with its name")
    func fixed() throws {
        let record = Record(
            id: .version7(), version: 1,
            values: [
                .text("Ministry"), .text(#"{"street":"Whitehall","floor":2,"hasLift":true}"#), .null,
            ])
        let viewer = Principal(
            account: UUID(), name: "eve", role: Role("viewer", .allowEverywhere(.view)), epoch: 1)
        var html = HTML()
        html.render(
            EditorView(
                model: try EditorViewModel(
                    editing: record, of: schema, repository: RecordsInMemory(schema: schema), principal: viewer),
                choices: [:], csrf: "", location: ""))
        #expect(
            String(decoding: html.bytes, as: UTF8.self).contains("Street: Whitehall, Floor: 2, Has lift: Yes"))
    }

    private let schema = ModelSchema(
        name: "Office",
        properties: [
            property("name", .string), embedded("place", Place.self), embedded("deep", Deep.self),
        ])

    @Test("A choice in an embedded struct has the labels of its cases")
    func choices() throws {
        let schema = ModelSchema(
            name: "Room", properties: [property("name", .string), embedded("shelf", Shelf.self)])
        let record = Record(id: .version7(), version: 1, values: [.text("Attic"), .text(#"{"condition":1}"#)])
        var html = HTML()
        html.render(
            EditorView(
                model: try EditorViewModel(
                    editing: record, of: schema, repository: RecordsInMemory(schema: schema), principal: .ada),
                choices: [:], csrf: "", location: ""))
        let page = String(decoding: html.bytes, as: UTF8.self)
        #expect(page.contains(#"<option value="0">As new</option>"#))
        #expect(page.contains(#"<option value="1" selected>Worn out</option>"#))
    }

    @Test("What must be chosen or entered in a required struct is marked, and nothing in an optional one")
    func required() throws {
        for isOptional in [false, true] {
            let schema = ModelSchema(
                name: "Room",
                properties: [property("name", .string), embedded("box", Box.self, isOptional: isOptional)])
            let page = Self.render(
                try EditorViewModel(adding: schema, repository: RecordsInMemory(schema: schema), principal: .ada))
            for name in ["label", "condition", "usual", "second", "size", "isFull"] {
                let control = try #require(
                    page.firstMatch(of: try Regex("<(input|select)[^>]*name=\"box.\(name)\"[^>]*>")))
                let isMarked = page[control.range].contains("required")
                #expect(isMarked == (!isOptional && (name == "condition" || name == "size")), "\(name)")
            }
        }
    }

    @Test("Each property of an embedded struct has a field")
    func fields() throws {
        let html = try render(values: [.text("x"), .text(#"{"floor":3,"hasLift":true,"street":"Mill <Lane>"}"#), .null])
        #expect(html.contains(#"name="place.street" value="Mill &lt;Lane&gt;""#))
        #expect(html.contains(#"name="place.floor" value="3""#))
        #expect(html.contains(#"name="place.hasLift" value="true" checked"#))
        #expect(html.contains(#"<legend class="label">Place"#))
        #expect(!html.contains(#"name="place" "#))
    }

    @Test("The fields are saved as the struct, and empty fields as null")
    func saved() async throws {
        #expect(
            try await value("place.street=Mill+Lane&place.floor=2&place.hasLift=false&place.hasLift=true")
                == .text(#"{"floor":2,"hasLift":true,"street":"Mill Lane"}"#))
        #expect(
            try await value("place.street=Mill+Lane&place.floor=&place.hasLift=false")
                == .text(#"{"hasLift":false,"street":"Mill Lane"}"#))
        #expect(try await value("place.street=&place.floor=&place.hasLift=false") == .null)
    }

    @Test("A chosen No counts as a value, but an unchecked checkbox does not")
    func chosenNo() async throws {
        #expect(
            try await value("place.street=&place.floor=&place.hasLift=false&place.isListed=false")
                == .text(#"{"hasLift":false,"isListed":false,"street":""}"#))
        #expect(try await value("place.street=&place.floor=&place.hasLift=false&place.isListed=") == .null)
    }

    @Test("An invalid part is reported at its field and stays as typed")
    func wrong() async throws {
        var editor = try editor("place.street=Mill+Lane&place.floor=third&place.hasLift=false")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [FieldProblem(property: "place.floor", message: "Enter a whole number, such as 12.")])
        let html = Self.render(editor)
        #expect(html.contains(#"name="place.floor" value="third""#))
        #expect(html.contains(##"href="#field-place.floor">Place, floor: "##))
    }

    @Test("A draft keeps the parts as typed")
    func draft() throws {
        let draft = try editor("place.street=Mill&place.floor=thi&place.hasLift=false").makeDraft(
            sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: Date())
        let again = try EditorViewModel(
            continuing: draft, of: schema, stored: nil, repository: RecordsInMemory(schema: schema), principal: .ada)
        #expect(Self.render(again).contains(#"name="place.floor" value="thi""#))
    }

    @Test("A part that the JSON does not have has its initial value, also in a new struct that must have a value")
    func initialValues() throws {
        let initial = ["country": "AT", "isHeated": "true"]
        for (isOptional, whenBlank) in [(true, [:]), (false, initial)] {
            let fields = try #require(EmbeddedFields(embedded("home", Home.self, isOptional: isOptional)))
            #expect(fields.texts(of: "") == whenBlank)
            #expect(fields.texts(of: #"{"street":"Mill Lane"}"#) == initial.merging(["street": "Mill Lane"]) { $1 })
            #expect(fields.texts(of: #"{"country":"BE","isHeated":false}"#) == ["country": "BE", "isHeated": "false"])
        }
    }

    @Test("A nested struct or a value with other keys is edited as JSON")
    func json() throws {
        #expect(try render(values: [.text("x"), .null, .null]).contains(#"<textarea id="field-deep""#))
        #expect(
            try render(values: [.text("x"), .text(#"{"more":1,"street":"a"}"#), .null]).contains(
                #"<textarea id="field-place""#))
    }

    @Test("A form can submit the struct as JSON")
    func whole() async throws {
        #expect(
            try await value("place=%7B%22street%22:%22A%22,%22hasLift%22:false%7D")
                == .text(#"{"hasLift":false,"street":"A"}"#))
    }

    private func editor(_ fields: String) throws -> EditorViewModel {
        let text = "draft=\(UUID.version7().canonicalText)&id=\(UUID.version7().canonicalText)&name=x&\(fields)"
        return try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: schema), of: schema, stored: nil,
            repository: RecordsInMemory(schema: schema), principal: .ada)
    }

    private func value(_ fields: String) async throws -> FieldValue? {
        let records = RecordsInMemory(schema: schema)
        let text = "draft=\(UUID.version7().canonicalText)&id=\(UUID.version7().canonicalText)&name=x&\(fields)"
        var editor = try EditorViewModel(
            submitted: try FormSubmission(FormEncoding.decode(text.utf8), of: schema), of: schema, stored: nil,
            repository: records, principal: .ada)
        guard case .saved = await editor.save(at: .now) else {
            Issue.record("\(editor.problems)")
            return nil
        }
        return await records.submissions.first?.values["place"]
    }

    private func render(values: [FieldValue]) throws -> String {
        Self.render(
            try EditorViewModel(
                editing: Record(id: .version7(), version: 1, values: values), of: schema,
                repository: RecordsInMemory(schema: schema), principal: .ada))
    }

    private static func render(_ editor: EditorViewModel) -> String {
        var html = HTML()
        html.render(EditorView(model: editor, choices: [:], csrf: "", location: ""))
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
