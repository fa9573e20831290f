import AviaryDomain
import Foundation
import Testing

@Suite("Importing ids")
struct IDImportTests {
    private static let first = UUID.version7(), second = UUID.version7()

    @Test("A column named id gives the ids in any case, and an empty cell creates an id")
    func ids() async throws {
        let inserts = try await plan("id,code\n\(Self.first.uuidString),A\n,B\n").inserts
        #expect(inserts.first?.id == Self.first)
        #expect(inserts.last?.id != Self.first)
        #expect(inserts.map { $0.values["code"] } == [.text("A"), .text("B")])
    }

    @Test("A mapping selects the column of the ids")
    func mapped() async throws {
        let inserts = try await plan("key,name\n\(Self.first.canonicalText),A\n", mapping: ["id=key", "code=name"])
            .inserts
        #expect(inserts.map(\.id) == [Self.first])
        #expect(
            await importError("name\nA\n", mapping: ["id=key", "code=name"])
                == "The file has no column “key”. Available: “name”.")
    }

    @Test("A mapping without the id ignores the column named id")
    func unmapped() async throws {
        #expect(try await plan("id,code\n1,A\n", mapping: ["code=code"]).inserts.count == 1)
    }

    @Test("An invalid id is reported with its line and advice")
    func none() async throws {
        let error = await importError("id,code\n1,A\n")
        #expect(
            error
                == "line 2: id: This is not an ID such as 017f22e2-79b0-7cc3-98c4-dc0c0c07398f. Rename the column to skip it."
        )
    }

    @Test("A repeated or already stored id is an error")
    func taken() async throws {
        let error = await importError("id,code\n\(Self.first),A\n\(Self.first),B\n")
        #expect(error == "line 3: id: Line 2 has the same ID.")
        let settings = RecordImport(model: specimenSchema, schema: try importSchema())
        let stored = StoredInMemory(known: [Self.first]) { _, _ in [] }
        await #expect(
            throws: ImportError.lines(
                [
                    LineError(line: 2, message: "id: A specimen with this ID already exists.")
                ], more: 0)
        ) { try await settings.plan(Array("id,code\n\(Self.first),A\n".utf8), lookUp: stored) }
    }

    @Test("Records of a file can refer to each other by id, even to a later line")
    func amongThemselves() async throws {
        let node = ModelSchema(
            name: "Node",
            properties: [
                property("name", .string, attributes: [.required]),
                property("parent", .toOne(model: "Node"), isOptional: true),
            ])
        let text = "id,name,parent\n\(Self.first),A,\(Self.second)\n\(Self.second),B,\(Self.second)\n"
        let plan = try await RecordImport(model: node, schema: try Schema([node])).plan(
            Array(text.utf8), lookUp: NothingStored())
        #expect(plan.inserts.map { $0.values["parent"] } == [Self.second.fieldValue, Self.second.fieldValue])
    }
}
