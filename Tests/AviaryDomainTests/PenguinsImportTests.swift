import AviaryDomain
import Foundation
import Testing

@Suite("The penguins of the Palmer Archipelago are imported")
struct PenguinsImportTests {
    @Test("344 animals of 3 categories, 152 of them Adelie penguins")
    func penguins() async throws {
        let plan = try await plan(of: ["name=Individual ID", "category=Species"])
        #expect(plan.lineCount == 344)
        #expect(plan.counts == ["Animal": 344, "AnimalCategory": 3])
        let adelie = try #require(plan.inserts.first)
        #expect(adelie.model == "AnimalCategory")
        #expect(adelie.values == ["name": .text("Adelie Penguin (Pygoscelis adeliae)")])
        #expect(plan.inserts.count { $0.values["category"] == adelie.id.fieldValue } == 152)
    }

    @Test("the columns' names are listed when one is spelled wrong")
    func wrongColumn() async throws {
        await #expect {
            try await plan(of: ["name=Individual", "category=Species"])
        } throws: { error in
            "\(error)".hasPrefix(
                "The file has no column \"Individual\". It has \"studyName\", \"Sample Number\", \"Species\",")
        }
    }

    private func plan(of mapping: [String]) async throws -> ImportPlan {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/penguins-raw.csv")
        let settings = RecordImport(
            model: Animal.schema, schema: zooSchema, mapping: try mapping.map { try FieldMapping(parsing: $0) },
            nullMarkers: ["NA"], createRelated: true
        )
        return try await settings.plan([UInt8](Data(contentsOf: file)), lookUp: NothingStored())
    }
}
