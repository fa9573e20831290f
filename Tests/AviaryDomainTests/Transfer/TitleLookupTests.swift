import AviaryDomain
import Foundation
import Testing

@Suite("An import finds referenced records whose titles are not one text")
struct TitleLookupTests {
    private static let place = model("Place", property("hall", .string), property("shelf", .integer))
    private static let movement = model("Movement", property("from", .toOne(model: "Place"), isOptional: true))

    /// A look-up with places by their titles, which counts how often it reads them.
    private actor Places: RecordLookup {
        let places: [String: [UUID]]?
        private(set) var reads = 0

        init(_ places: [String: [UUID]]?) { self.places = places }

        func titles(of model: ModelSchema) async throws -> [String: [UUID]]? {
            reads += 1
            return places
        }
        func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] { [] }
        func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool {
            places?.values.contains([id]) ?? false
        }
        func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
    }

    private func plan(_ cells: [String], _ places: Places, creating: Bool = false) async throws -> ImportPlan {
        try await RecordImport(
            model: Self.movement, schema: try Schema([Self.place, Self.movement]), createRelated: creating
        ).plan(Array((["from"] + cells).joined(separator: "\n").utf8), lookUp: places)
    }

    @Test("A title leads to its record, and so does an ID; the titles are read once")
    func found() async throws {
        let ids = [UUID.version7(), .version7()]
        let places = Places(["A-1": [ids[0]], "A-2": [ids[1]]])
        let plan = try await plan(["A-2", "A-1", ids[1].canonicalText, "A-2"], places)
        #expect(plan.inserts.map { $0.values["from"] } == [1, 0, 1, 1].map { ids[$0].fieldValue })
        #expect(await places.reads == 1)
    }

    @Test("A title of several records, and of none, is an error that names the title, and creates nothing")
    func refused() async throws {
        let places = Places(["A-1": [.version7(), .version7()]])
        let error = await #expect(throws: ImportError.self) {
            try await plan(["A-1", "A-9", UUID.version7().canonicalText], places, creating: true)
        }
        let text = "\(try #require(error))"
        #expect(text.contains("More than one place has this title."))
        #expect(text.contains("No place has this title.") && text.contains("No place has this ID."))
    }

    @Test("With very many records, a reference is looked up by the text that is found first")
    func many() async throws {
        let error = await #expect(throws: ImportError.self) { try await plan(["A-1"], Places(nil)) }
        #expect("\(try #require(error))".contains("No place has this hall."))
    }
}
