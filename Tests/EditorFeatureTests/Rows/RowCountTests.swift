import AviaryDesign
import AviaryDomain
import Foundation
import Testing

@testable import EditorFeature

@Suite("Limits on the number of rows")
struct RowCountTests {
    private let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
    private let atLeastOne = RelationshipOptions(minimumModelCount: 1)
    private let removed = ["name": "Ada", "since": "2001", ".remove": "true"]

    @Test("Too few rows are reported together with other problems")
    func tooFew() async throws {
        let house = House(keepers: [ada], asking: atLeastOne)
        var editor = try await house.submitted(try await house.form(rows: [(ada, removed)]), name: "")
        #expect(await editor.save(at: .now) == .invalid)
        #expect(editor.problems.map(\.property).sorted() == ["keepers", "name"])
        #expect(
            editor.problems.first { $0.property == "keepers" }?.message == "Add or keep at least 1.")
    }

    @Test("Too many rows are reported, and a blank row does not count")
    func tooMany() async throws {
        let house = House(keepers: [ada], asking: RelationshipOptions(maximumModelCount: 1))
        let own = try await house.form(rows: [(ada, ["name": "Ada", "since": "2001"])])
        let blank = house.row(.version7(), version: nil, origin: house.blankOrigin, ["name": "", "since": ""])
        var fitting = try await house.submitted(own + blank, name: "")
        _ = await fitting.save(at: .now)
        #expect(fitting.problems.map(\.property) == ["name"])
        let filled = house.row(.version7(), version: nil, origin: house.blankOrigin, ["name": "Mary", "since": ""])
        var crowded = try await house.submitted(own + filled, name: "")
        _ = await crowded.save(at: .now)
        #expect(crowded.problems.first { $0.property == "keepers" }?.message == "Keep at most 1 (would be 2).")
    }

    @Test("A new row can replace a removed row")
    func replaced() async throws {
        let house = House(keepers: [ada], asking: atLeastOne)
        let other = house.row(.version7(), version: nil, origin: house.blankOrigin, ["name": "Mary", "since": ""])
        var editor = try await house.submitted(try await house.form(rows: [(ada, removed)]) + other, name: "")
        _ = await editor.save(at: .now)
        #expect(editor.problems.map(\.property) == ["name"])
    }

    @Test("Unchanged rows are not checked, and the page alone does not reject a removal")
    func untouched() async throws {
        let house = House(keepers: [], asking: atLeastOne)
        var editor = try await house.submitted([], name: "")
        _ = await editor.save(at: .now)
        #expect(editor.problems.map(\.property) == ["name"])
        let own = House(keepers: [ada], asking: atLeastOne)
        var alone = try await own.submitted(try await own.form(rows: [(ada, removed)]))
        guard case .saved = await alone.save(at: .now) else {
            Issue.record("\(alone.problems)")
            return
        }
    }

    @Test("A count error from the store is reported at the rows")
    func refused() async throws {
        let house = Record(id: .version7(), version: 7, values: [.text("Aviary")])
        let refusal = StoreError.relatedCount(
            model: "House", id: house.id, property: "keepers", count: 0, allowed: ModelCount(minimum: 1))
        let own = House(record: house, keepers: [ada], refusal: refusal, asking: atLeastOne)
        var editor = try await own.submitted(try await own.form(rows: [(ada, removed)]))
        #expect(await editor.save(at: .now) == .invalid)
        #expect(
            editor.problems == [FieldProblem(property: "keepers", message: "Add or keep at least 1.")]
        )
    }

    @Test("The sheet shows the rule in advance")
    func rule() async throws {
        func page(_ options: RelationshipOptions) async throws -> String {
            var html = HTML()
            html.render(
                EditorView(
                    model: try await House(keepers: [ada, grace], asking: options).editing(), choices: [:], csrf: "",
                    location: ""))
            return String(decoding: html.bytes, as: UTF8.self)
        }
        let asked = try await page(RelationshipOptions(minimumModelCount: 1, maximumModelCount: 3))
        #expect(asked.contains(#"Keepers<span class="required">Required</span></legend><p class="help">1 to 3</p>"#))
        let free = try await page(RelationshipOptions(maximumModelCount: 3))
        #expect(free.contains(#"Keepers</legend><p class="help">At most 3</p>"#))
    }
}
