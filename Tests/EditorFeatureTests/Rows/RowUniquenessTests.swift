import Foundation
import Testing

@testable import AviaryDomain
@testable import EditorFeature

@Suite("Unique values and rules of rows")
struct RowUniquenessTests {
    private let ada = keeper("Ada", since: 2001), grace = keeper("Grace", since: 2010)
    private let unique = House.keeperSchema(isUniqueInHouse: false)

    /// Returns the editor of a form in which the name of the house is missing.
    private func saved(_ house: House, _ rows: [FormField], name: String = "") async throws -> EditorViewModel {
        var editor = try await house.submitted(rows, name: name)
        #expect(await editor.save(at: .now) == .invalid)
        return editor
    }

    private func new(_ name: String, since: String = "2020", id: UUID = .version7(), in house: House) -> [FormField] {
        house.row(id, version: nil, origin: house.blankOrigin, ["name": name, "since": since])
    }

    @Test("A row that repeats a value of another row is reported together with other problems")
    func repeated() async throws {
        let house = House(keepers: [ada], rows: unique), second = UUID.version7(), third = UUID.version7()
        let form =
            try await house.form(rows: [(ada, ["name": "Ada", "since": "2001"])])
            + new("Mary", in: house) + new("Mary", id: second, in: house) + new("Ada", id: third, in: house)
        let problems = try await saved(house, form).problems
        let names = [second, third].map { "keepers.\($0.canonicalText).name" }
        #expect(problems.map(\.property) == ["name"] + names)
        #expect(problems.last?.message == "Another keeper already has this name. Choose a different one.")
        #expect(await house.submissions.isEmpty)
    }

    @Test("A row that repeats a value of a record that is not in the sheet is reported, too")
    func taken() async throws {
        let house = House(keepers: [], strangers: [keeper("Mary", since: 1990)], rows: unique), id = UUID.version7()
        let problems = try await saved(house, new("Mary", id: id, in: house)).problems
        #expect(problems.map(\.property) == ["name", "keepers.\(id.canonicalText).name"])
    }

    @Test("A value that another row gives up is not reported, and an unchanged row repeats nothing")
    func givenUp() async throws {
        let house = House(keepers: [ada, grace], rows: unique)
        let removed = ["name": "Ada", "since": "2001", ".remove": "true"]
        for (first, second) in [
            (removed, ["name": "Ada", "since": "2010"]),
            (["name": "Grace", "since": "2001"], ["name": "Ada", "since": "2010"]),
            (["name": "Ada", "since": "2001"], ["name": "Grace", "since": "2010"]),
        ] {
            let form = try await house.form(rows: [(ada, first), (grace, second)])
            #expect(try await saved(house, form).problems.map(\.property) == ["name"])
        }
    }

    @Test("Rows with the same combination of values are reported without what all rows have in common")
    func combination() async throws {
        let house = House(keepers: [ada], rows: House.keeperSchema(isUniqueInHouse: true)), id = UUID.version7()
        let form =
            try await house.form(rows: [(ada, ["name": "Ada", "since": "2001"])]) + new("Ada", id: id, in: house)
        let problems = try await saved(house, form).problems
        #expect(
            problems.last
                == FieldProblem(
                    property: "keepers.\(id.canonicalText).name",
                    message: "Another keeper already has the same name. Change one of them."))
    }

    @Test("A combination that the store rejects is reported at the rows that have it")
    func rejected() async throws {
        let house = House(
            keepers: [], refusal: .notUniqueTogether(model: "Keeper", properties: ["house", "name"]),
            rows: House.keeperSchema(isUniqueInHouse: true))
        let id = UUID.version7()
        let form = new("Mary", in: house) + new("Mary", id: id, in: house) + new("Eve", in: house)
        let problems = try await saved(house, form, name: "Aviary").problems
        #expect(problems.map(\.property) == ["keepers.\(id.canonicalText).name"])
    }

    @Test("A rule across the fields of a row is checked once each of its fields is valid")
    func rules() async throws {
        let house = House(keepers: [ada], rows: unique), id = UUID.version7()
        let form =
            try await house.form(rows: [(ada, ["name": "", "since": "0"])]) + new("Eve", since: "0", id: id, in: house)
        let problems = try await saved(house, form, name: "Aviary").problems
        #expect(
            problems.map(\.property) == ["keepers.\(ada.id.canonicalText).name", "keepers.\(id.canonicalText).since"])
    }
}
