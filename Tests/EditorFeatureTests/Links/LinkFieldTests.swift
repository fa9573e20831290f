import AviaryDesign
import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Many-to-many fields")
struct LinkFieldTests {
    private let keeperSchema = ModelSchema(
        name: "Keeper", properties: [property("name", .string, attributes: [.required])])
    private let ada = Record(id: .version7(), version: 1, values: [.text("Ada")])
    private let ben = Record(id: .version7(), version: 1, values: [.text("Ben; the younger")])
    private let cleo = Record(id: .version7(), version: 1, values: [.text("Cleo")])

    private var keepers: RecordsInMemory { RecordsInMemory(schema: keeperSchema, records: [ada, ben, cleo]) }

    private func linked(_ records: Record..., count: Int? = nil) -> RelatedSummary {
        RelatedSummary(
            first: records.map { RecordChoice(id: $0.id, title: $0.title(in: keeperSchema)) },
            count: count ?? records.count
        )
    }

    private func editor(
        _ records: RecordsInMemory, of animal: Record? = okapi(), _ fields: [(String, String)] = [],
        draft: Draft? = nil,
        keepers: RecordsInMemory? = nil
    ) async throws -> EditorViewModel {
        let form =
            [FormField(name: "draft", value: UUID.version7().canonicalText), FormField(name: "name", value: "Okapi")]
            + [FormField(name: "id", value: (animal?.id ?? .version7()).canonicalText)]
            + [FormField(name: "version", value: animal.map { String($0.version) } ?? "")]
            + fields.map { FormField(name: $0.0, value: $0.1) }
        var editor = try EditorViewModel(
            submitted: try FormSubmission(form, of: animalSchema), of: animalSchema, stored: animal,
            repository: records,
            principal: .ada
        )
        try await editor.readLinks(targets: ["keepers": keepers ?? self.keepers], form: form, draft: draft)
        return editor
    }

    private func saved(
        _ records: RecordsInMemory, of animal: Record? = okapi(), _ fields: (String, String)...
    ) async throws -> [LinkEdit]? {
        var editor = try await editor(records, of: animal, fields)
        _ = await editor.save(at: .now)
        return await records.submissions.last?.links
    }

    @Test("A new record is linked with checked and typed records")
    func new() async throws {
        let edits = try await saved(
            RecordsInMemory(), of: nil, ("keepers", ""), ("keepers.linked", ""), ("keepers", cleo.id.canonicalText),
            ("keepers", "Ada")
        )
        #expect(edits == [LinkEdit(property: "keepers", added: [cleo.id, ada.id], removed: [])])
    }

    @Test("Only records that were shown as linked and are unchecked are unlinked")
    func removed() async throws {
        let records = RecordsInMemory(linked: linked(ada, ben, cleo))
        let edits = try await saved(
            records, ("keepers", ""), ("keepers.linked", "\(ada.id.canonicalText) \(ben.id.canonicalText)"),
            ("keepers", ben.id.canonicalText)
        )
        // Cleo was linked by somebody else in the meantime.
        #expect(edits == [LinkEdit(property: "keepers", added: [], removed: [ada.id])])
    }

    @Test("A resubmitted form gives the same submission")
    func again() async throws {
        let records = RecordsInMemory(linked: linked(ada))
        let fields = [("keepers", ""), ("keepers.linked", ada.id.canonicalText), ("keepers", cleo.id.canonicalText)]
        var first = try await editor(records, fields)
        _ = await first.save(at: .now)
        await records.set(linked: linked(cleo))
        var second = try await editor(records, fields)
        _ = await second.save(at: .now)
        let links = await records.submissions.map(\.links)
        #expect(links.count == 2)
        #expect(links.first == links.last)
    }

    @Test("A form that does not list what it showed replaces the links")
    func replacing() async throws {
        let edits = try await saved(
            RecordsInMemory(linked: linked(ada, ben)), ("keepers", ben.id.canonicalText),
            ("keepers", cleo.id.canonicalText))
        #expect(edits == [LinkEdit(property: "keepers", added: [cleo.id], removed: [ada.id])])
    }

    @Test("A form without the field or without changes leaves the links unchanged")
    func untouched() async throws {
        let records = RecordsInMemory(linked: linked(ada))
        #expect(try await saved(records) == [])
        #expect(
            try await saved(
                records, ("keepers", ""), ("keepers.linked", ada.id.canonicalText), ("keepers", ada.id.canonicalText))
                == [])
    }

    @Test("Several names are separated by semicolons, unless a name contains one")
    func names() async throws {
        let both = try await saved(RecordsInMemory(), of: nil, ("keepers", " Ada ; Cleo "))
        #expect(both == [LinkEdit(property: "keepers", added: [ada.id, cleo.id], removed: [])])
        let one = try await saved(RecordsInMemory(), of: nil, ("keepers", "Ben; the younger"))
        #expect(one == [LinkEdit(property: "keepers", added: [ben.id], removed: [])])
    }

    @Test("An unknown name stays as typed and is reported")
    func unknownName() async throws {
        let records = RecordsInMemory()
        var editor = try await editor(records, of: nil, [("keepers", "Ada; Nobody")])
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["keepers"])
        #expect(
            editor.problems.first?.message
                == "No keeper has this name. Choose an existing one or add it first.")
        #expect(editor.links["keepers"]?.text == "Nobody")
        #expect(editor.links["keepers"]?.added == [ada.id])
        #expect(await records.submissions.isEmpty)
    }

    @Test(
        "An ambiguous name is reported, and an id links the exact record")
    func ambiguousName() async throws {
        let twin = Record(id: .version7(), version: 1, values: [.text("Ada")])
        let keepers = RecordsInMemory(schema: keeperSchema, records: [ada, twin, cleo])
        let records = RecordsInMemory()
        var editor = try await editor(records, of: nil, [("keepers", "Cleo; Ada")], keepers: keepers)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [
                FieldProblem(
                    property: "keepers",
                    message:
                        "More than one keeper has this name. Enter the ID from the address of the record’s page, or give each record its own name."
                )
            ])
        #expect(editor.links["keepers"]?.text == "Ada")
        #expect(editor.links["keepers"]?.added == [cleo.id])
        #expect(editor.fields["name"] == "Okapi")
        #expect(await records.submissions.isEmpty)
        editor = try await self.editor(records, of: nil, [("keepers", "Cleo; \(twin.id.uuidString)")], keepers: keepers)
        _ = await editor.save(at: .now)
        #expect(
            await records.submissions.last?.links == [
                LinkEdit(property: "keepers", added: [cleo.id, twin.id], removed: [])
            ])
    }

    @Test("A violated count is reported at its field, or above the form for another record")
    func counts() async throws {
        let animal = okapi()
        let allowed = ModelCount(minimum: 1, maximum: 2)
        let refusal = StoreError.relatedCount(
            model: "Animal", id: animal.id, property: "keepers", count: 3, allowed: allowed)
        var own = try await editor(RecordsInMemory(refusal: refusal), of: animal)
        #expect(await own.save(at: .now) == .invalid)
        #expect(own.problems == [FieldProblem(property: "keepers", message: "Choose at most 2 (would be 3).")])
        var other = try await editor(
            RecordsInMemory(
                refusal: .relatedCount(
                    model: "Keeper", id: UUID(), property: "animals", count: 0, allowed: allowed
                )))
        #expect(await other.save(at: .now) == .invalid)
        #expect(other.problems.isEmpty)
        #expect(other.message?.text.contains("Keeper.animals must have at least 1 and would have 0.") == true)
    }

    @Test("A missing link is reported with other problems, but only if the field was changed")
    func countsAtOnce() async throws {
        var properties = animalSchema.properties.filter { $0.name != "keepers" }
        properties.append(
            property("keepers", .toMany(model: "Keeper"), relationship: RelationshipOptions(minimumModelCount: 1)))
        let schema = ModelSchema(name: "Animal", properties: properties)
        func problems(of animal: Record?, name: String = "", keepers chosen: [(String, String)]) async throws
            -> [String: String]
        {
            let form =
                [
                    FormField(name: "draft", value: UUID.version7().canonicalText),
                    FormField(name: "name", value: name),
                    FormField(name: "id", value: (animal?.id ?? .version7()).canonicalText),
                    FormField(name: "version", value: animal.map { String($0.version) } ?? ""),
                ] + chosen.map { FormField(name: $0.0, value: $0.1) }
            var editor = try EditorViewModel(
                submitted: try FormSubmission(form, of: schema), of: schema, stored: animal,
                repository: RecordsInMemory(linked: linked(ada)), principal: .ada
            )
            try await editor.readLinks(targets: ["keepers": keepers], form: form)
            _ = await editor.save(at: .now)
            return Dictionary(
                editor.problems.map { ($0.property, $0.message) }, uniquingKeysWith: { first, _ in first })
        }
        let advice = "Choose at least 1."
        let fresh = try await problems(of: nil, keepers: [("keepers", "")])
        #expect(fresh.keys.sorted() == ["keepers", "name"] && fresh["keepers"] == advice)
        let enough = try await problems(of: nil, keepers: [("keepers", cleo.id.canonicalText)])
        #expect(enough.keys.sorted() == ["name"])
        let shown = ("keepers.linked", ada.id.canonicalText)
        let emptied = try await problems(of: okapi(), keepers: [("keepers", ""), shown])
        #expect(emptied.keys.sorted() == ["keepers", "name"] && emptied["keepers"] == advice)
        #expect(try await problems(of: okapi(), keepers: []).keys.sorted() == ["name"])
        // Somebody else may have linked another record in the meantime, so the page's own knowledge is not enough
        // for a refusal.
        #expect(try await problems(of: okapi(), name: "Okapi", keepers: [("keepers", ""), shown]).isEmpty)
    }

    @Test("A draft keeps the changes and applies them to the current links")
    func drafts() async throws {
        let animal = okapi()
        var editor = try await editor(
            RecordsInMemory(linked: linked(ada, ben)), of: animal,
            [
                ("keepers", ""), ("keepers.linked", "\(ada.id.canonicalText) \(ben.id.canonicalText)"),
                ("keepers", ben.id.canonicalText), ("keepers", cleo.id.canonicalText), ("keepers", "Nobo"),
            ])
        let draft = editor.makeDraft(sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: Date())
        #expect(
            draft.fields.filter { $0.name.hasPrefix("keepers") } == [
                FormField(name: "keepers", value: cleo.id.canonicalText),
                FormField(name: "keepers.removed", value: ada.id.canonicalText),
                FormField(name: "keepers", value: "Nobo"),
            ])
        editor = try EditorViewModel(
            continuing: draft, of: animalSchema, stored: nil, repository: RecordsInMemory(linked: linked(ada, cleo)),
            principal: .ada
        )
        try await editor.readLinks(targets: ["keepers": keepers], draft: draft)
        #expect(editor.links["keepers"]?.selected == [cleo.id])
        #expect(editor.links["keepers"]?.removed == [ada.id])
        #expect(editor.links["keepers"]?.text == "Nobo")
    }

    @Test("A conflict shows the current links with the changes applied")
    func conflict() async throws {
        let animal = okapi()
        let records = RecordsInMemory(
            refusal: .conflict(model: "Animal", current: okapi(version: 9)), linked: linked(ada))
        var editor = try await editor(
            records, of: animal,
            [
                ("keepers", ""), ("keepers.linked", ""), ("keepers", cleo.id.canonicalText),
            ])
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.links["keepers"]?.linked == [ada.id])
        #expect(editor.links["keepers"]?.selected == [ada.id, cleo.id])
    }

    @Test("A deleted record is added again with all checked links")
    func gone() async throws {
        let animal = okapi()
        let records = RecordsInMemory(refusal: .notFound(model: "Animal", id: animal.id), linked: linked(ada))
        var editor = try await editor(
            records, of: animal,
            [
                ("keepers", ""), ("keepers.linked", ada.id.canonicalText), ("keepers", ada.id.canonicalText),
                ("keepers", cleo.id.canonicalText),
            ])
        #expect(await editor.save(at: .now) == .conflict)
        #expect(editor.links["keepers"]?.added == [ada.id, cleo.id])
        #expect(editor.links["keepers"]?.linked == [])
    }

    @Test("The field has checkboxes, and a text field if there are many choices")
    func markup() async throws {
        var editor = try await editor(
            RecordsInMemory(linked: linked(ada, ben, count: 150)),
            [
                ("keepers", ""), ("keepers.linked", "\(ada.id.canonicalText) \(ben.id.canonicalText)"),
                ("keepers", ada.id.canonicalText), ("keepers", "<Nobody>"),
            ])
        editor.markKept()
        func html(_ choices: LinkChoices) -> String {
            var html = HTML()
            html.render(
                EditorView(model: editor, choices: [:], linkChoices: ["keepers": choices], csrf: "", location: ""))
            return String(decoding: html.bytes, as: UTF8.self)
        }
        let shown = linked(ada, ben).first, all = linked(ada, ben, cleo).first
        let many = html(LinkChoices(shown: shown, options: all, isComplete: false))
        #expect(many.contains(#"<input type="hidden" name="keepers" value="">"#))
        #expect(many.contains(#"name="keepers.linked" value="\#(ada.id.canonicalText) \#(ben.id.canonicalText)""#))
        #expect(many.contains(#"value="\#(ada.id.canonicalText)" checked"#))
        #expect(many.contains(#"value="\#(ben.id.canonicalText)">"#))
        #expect(!many.contains(cleo.id.canonicalText))
        #expect(many.contains("&lt;Nobody&gt;"))
        #expect(!many.contains("<Nobody>"))
        #expect(many.contains(#"<option value="Cleo">"#))
        #expect(many.contains("And 148 more, which stay unchanged."))
        let few = html(LinkChoices(shown: shown, options: all, isComplete: true))
        #expect(few.contains(cleo.id.canonicalText))
    }
}
