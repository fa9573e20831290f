import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Rows of a sheet")
struct RowTests {
    struct Permitted: Sendable {
        let actions: Set<ModelAction>
        /// The number of permitted changes, out of three of different kinds.
        let count: Int
    }

    @Test("The stored rows are shown, and saving them unchanged submits no row")
    func untouched() async throws {
        let house = House(keepers: [keeper("Ada", since: 2001), keeper("Grace", since: 2010)])
        var editor = try await house.editing()
        #expect(
            editor.rowLists["keepers"]?.entries.map(\.fields) == [
                ["name": "Ada", "since": "2001"], ["name": "Grace", "since": "2010"],
            ])
        _ = await editor.save(at: .now)
        #expect(try #require(await house.submissions.first).others.isEmpty)
    }

    @Test("A row does not set read-only or hidden properties")
    func fixed() async throws {
        let rules: [(readOnly: Set<String>, principal: Principal)] = [
            (["since"], .ada), ([], .with(.properties(["since"], ofModelNamed: "Keeper", areHidden: false))),
            ([], .with(.properties(["since"], ofModelNamed: "Keeper", areHidden: true))),
        ]
        for (number, rule) in rules.enumerated() {
            let ada = keeper("Ada", since: 2001), fresh = UUID.version7()
            let house = House(keepers: [ada], readOnly: rule.readOnly)
            let origin = number == 2 ? ChildRow.digest(["name": "Ada"]) : nil
            let form =
                try await house.form(rows: [(ada, ["name": "Ada L.", "since": "1999"])], origin: origin)
                + house.row(
                    fresh, version: nil, origin: "", ["name": "Mary", "since": "2020"])
            var editor = try await house.submitted(form, as: rule.principal)
            #expect(editor.rowLists["keepers"]?.properties.map(\.name) == (number == 2 ? ["name"] : ["name", "since"]))
            _ = await editor.save(at: .now)
            #expect(
                try #require(await house.submissions.first).others == [
                    .update(model: "Keeper", id: ada.id, version: ada.version, values: ["name": .text("Ada L.")]),
                    .insert(
                        model: "Keeper", id: fresh,
                        values: ["name": .text("Mary"), "house": .text(house.record.id.canonicalText)]),
                ], "\(number)")
        }
    }

    @Test("The rows of a sheet and those named by the form are read in batches")
    func reading() async throws {
        let rows = (0..<50).map { keeper("Keeper \($0)", since: Int64(2000 + $0)) }
        let house = House(keepers: rows)
        #expect(try await house.editing().rowLists["keepers"]?.entries.count == 50)
        #expect(await house.reads == 1)
        let gone = (0..<20).map { keeper("Gone \($0)", since: 1990) }
        let form = try await house.form(rows: gone.map { ($0, ["name": "Back", "since": "1990"]) })
        #expect(try await house.submitted(form).rowLists["keepers"]?.entries.count == 20)
        #expect(await house.reads == 3)
    }

    @Test("Changed, added and removed rows are submitted with the record")
    func changed() async throws {
        let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
        let house = House(keepers: [ada, grace])
        let fresh = UUID.version7()
        let form =
            try await house.form(rows: [
                (ada, ["name": "Ada L.", "since": "2001"]),
                (grace, ["name": "Grace", "since": "2010", ".remove": "true"]),
            ]) + house.row(fresh, version: nil, origin: house.blankOrigin, ["name": "Mary", "since": "2020"])
        var editor = try await house.submitted(form)
        #expect(await editor.save(at: .now) == .saved(Receipt(changeSet: editor.draft, commit: 1, isRepeat: false)))
        #expect(
            try #require(await house.submissions.first).others == [
                .update(
                    model: "Keeper", id: ada.id, version: ada.version,
                    values: ["name": .text("Ada L."), "since": .integer(2001)]),
                .delete(model: "Keeper", id: grace.id, version: grace.version),
                .insert(
                    model: "Keeper", id: fresh,
                    values: [
                        "name": .text("Mary"), "since": .integer(2020), "house": .text(house.record.id.canonicalText),
                    ]),
            ])
    }

    @Test("A resubmitted form gives the same changes, even if they are already stored")
    func repeated() async throws {
        let ada = keeper("Ada", since: 2001)
        let before = House(keepers: [ada])
        let form = try await before.form(rows: [(ada, ["name": "Ada L.", "since": "2001"])])
        var first = try await before.submitted(form)
        _ = await first.save(at: .now)
        let after = House(
            record: before.record,
            keepers: [Record(id: ada.id, version: 99, values: [.text("Ada L."), .integer(2001), ada.values[2]])])
        var second = try await after.submitted(form)
        _ = await second.save(at: .now)
        #expect(await before.submissions.map(\.others) == after.submissions.map(\.others))
    }

    @Test("A blank new row is ignored")
    func blank() async throws {
        let house = House(keepers: [])
        var editor = try await house.submitted(
            house.row(.version7(), version: nil, origin: house.blankOrigin, ["name": "", "since": ""]))
        _ = await editor.save(at: .now)
        #expect(try #require(await house.submissions.first).others.isEmpty)
    }

    @Test("All problems are reported at their rows, and nothing is submitted")
    func problems() async throws {
        let ada = keeper("Ada", since: 2001)
        let house = House(keepers: [ada])
        let fresh = UUID.version7()
        let form =
            try await house.form(rows: [(ada, ["name": "", "since": "long ago"])])
            + house.row(fresh, version: nil, origin: house.blankOrigin, ["name": " ", "since": "2020"])
        var editor = try await house.submitted(form)
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            Set(editor.problems.map(\.property)) == [
                "keepers.\(ada.id.canonicalText).name", "keepers.\(ada.id.canonicalText).since",
                "keepers.\(fresh.canonicalText).name",
            ])
        #expect(editor.rowLists["keepers"]?.entries.first?.fields["since"] == "long ago")
        #expect(await house.submissions.isEmpty)
    }

    @Test("A record that belongs to another sheet is not accepted as a row")
    func foreign() async throws {
        let other = Record(
            id: .version7(), version: 5,
            values: [.text("Of others"), .integer(1990), .text(UUID.version7().canonicalText)])
        let house = House(keepers: [], strangers: [other])
        for field in [["name": "Taken"], [".remove": "true"]] {
            var editor = try await house.submitted(house.row(other.id, version: 5, origin: "", field))
            _ = await editor.save(at: .now)
        }
        #expect(await house.submissions.allSatisfy(\.others.isEmpty))
    }

    @Test(
        "Rows are changed only as the role allows for their model",
        arguments: [
            Permitted(actions: [.view], count: 0), Permitted(actions: [.view, .add], count: 1),
            Permitted(actions: [.view, .edit], count: 1), Permitted(actions: [.view, .delete], count: 1),
        ])
    func permissions(permitted: Permitted) async throws {
        let (actions, count) = (permitted.actions, permitted.count)
        let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
        let house = House(keepers: [ada, grace])
        let form =
            try await house.form(rows: [
                (ada, ["name": "Ada L.", "since": "2001"]),
                (grace, ["name": "Grace", "since": "2010", ".remove": "true"]),
            ]) + house.row(.version7(), version: nil, origin: house.blankOrigin, ["name": "Mary", "since": "2020"])
        let role = Role("some", .allow([.view, .edit], onModelNamed: "House"), .allow(actions, onModelNamed: "Keeper"))
        var editor = try await house.submitted(form, as: Principal(account: UUID(), name: "some", role: role, epoch: 1))
        _ = await editor.save(at: .now)
        #expect(try #require(await house.submissions.first).others.count == count)
    }

    @Test("A model that the role cannot view has no rows")
    func hidden() async throws {
        let role = Role("some", .allow([.view, .edit], onModelNamed: "House"))
        let editor = try await House(keepers: [keeper("Ada", since: 2001)]).editing(
            as: Principal(account: UUID(), name: "some", role: role, epoch: 1))
        #expect(editor.rowLists.isEmpty)
    }

    @Test("A draft contains the changed rows and applies them to the stored rows")
    func draft() async throws {
        let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
        let house = House(keepers: [ada, grace])
        let fresh = UUID.version7()
        let form =
            try await house.form(rows: [
                (ada, ["name": "Ada L.", "since": "2001"]), (grace, ["name": "Grace", "since": "2010"]),
            ])
            + house.row(fresh, version: nil, origin: house.blankOrigin, ["name": "Ma", "since": "soon"])
        let draft = try await house.submitted(form).makeDraft(
            sequence: 1, restoreEpoch: "", schemaFingerprint: "", at: Date())
        #expect(draft.fields.values("keepers.rows") == ["\(ada.id.canonicalText) \(ada.version)", fresh.canonicalText])
        let entries = try #require(try await house.continuing(draft).rowLists["keepers"]?.entries)
        #expect(
            entries.map(\.fields) == [
                ["name": "Ada L.", "since": "2001"], ["name": "Grace", "since": "2010"],
                ["name": "Ma", "since": "soon"],
            ])
        #expect(entries.map(\.isChanged) == [true, false, true])
    }

    @Test("A duplicate value is reported at the row that has it")
    func notUnique() async throws {
        let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
        let house = House(keepers: [ada, grace], refusal: .notUnique(model: "Keeper", property: "name"))
        var editor = try await house.submitted(
            try await house.form(rows: [
                (ada, ["name": "Ada L.", "since": "2001"]), (grace, ["name": "Ada", "since": "2010"]),
            ]))
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property) == ["keepers.\(grace.id.canonicalText).name"])
    }

    @Test("A removal with a cascade is reported, and nothing is saved")
    func cascade() async throws {
        let ada = keeper("Ada", since: 2001)
        let plan = DeletePlan(requested: 1, cascades: ["Shift": 3], nullifies: [:])
        let house = House(keepers: [ada], refusal: .needsConfirmation(plan))
        var editor = try await house.submitted(
            try await house.form(rows: [(ada, ["name": "Ada", "since": "2001", ".remove": "true"])]))
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.first?.message.hasPrefix("Removing this would also delete 3 other records.") == true)
    }

    @Test("A sheet has room for at most 50 rows")
    func room() async throws {
        var editor = try await House(keepers: []).editing()
        for _ in 0..<60 { editor.addRow("keepers") }
        #expect(editor.rowLists["keepers"]?.entries.count == 50)
        #expect(editor.message?.text.contains("room for 50 rows") == true)
    }
}
