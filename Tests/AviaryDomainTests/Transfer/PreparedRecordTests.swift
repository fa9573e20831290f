import AviaryDomain
import Foundation
import Testing

@Suite("Imports and updates check records after the hooks of the application")
struct PreparedRecordTests {
    private static let tag = model(
        "Tag", property("name", .string, attributes: [.required, .length(1...4)]), property("size", .integer))

    /// A look-up with one stored record, and a hook that trims and lowers names.
    private struct Trimming: RecordLookup {
        var stored: Record?

        func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] { [] }
        func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { stored?.id == id }
        func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { stored?.id == id ? stored : nil }
        func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
        func preparesRecords(of model: ModelSchema) -> Bool { true }
        func prepared(
            _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?
        ) async throws -> Result<[String: FieldValue], FieldProblem> {
            guard case .text(let name)? = values["name"] else { return .success(values) }
            let trimmed = name.trimmingCharacters(in: .whitespaces).lowercased()
            guard trimmed != "stop" else { return .failure(FieldProblem(property: "name", message: "Stopped.")) }
            return .success(values.merging(["name": .text(trimmed)]) { _, new in new })
        }
    }

    private func plan(_ text: String, _ lookUp: Trimming = Trimming()) async throws -> ImportPlan {
        let settings = RecordImport(
            model: Self.tag, schema: try Schema([Self.tag]), match: lookUp.stored == nil ? .none : .id)
        return try await settings.plan(Array(text.utf8), lookUp: lookUp)
    }

    @Test("An import plans the values of the file, because the hooks run again when they are stored")
    func planned() async throws {
        let plan = try await plan("name,size\n    Long    ,1\n")
        #expect(plan.inserts.map { $0.values["name"] } == [.text("    Long    ")])
    }

    @Test("An import reports a line that a hook rejects, and one that breaks a rule after the hooks")
    func rejected() async throws {
        let error = await #expect(throws: ImportError.self) { try await plan("name,size\nSTOP,1\nlonger,1\n") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("Stopped.") && text.contains("Enter at most 4 characters."), "\(text)")
    }

    @Test("A line with a value that cannot be read is reported for that alone")
    func unreadable() async throws {
        let error = await #expect(throws: ImportError.self) { try await plan("name,size\nSTOP,many\n") }
        #expect(error.map { !"\($0)".contains("Stopped.") } == true)
    }

    @Test("A line is unchanged when the hooks make the stored values of it")
    func unchanged() async throws {
        let id = UUID.version7()
        let stored = Record(id: id, version: 1, values: [.text("long"), .integer(1)])
        let plan = try await plan("id,name,size\n\(id.canonicalText), LONG ,1\n", Trimming(stored: stored))
        #expect(plan.report.unchanged == 1 && plan.changes.isEmpty)
    }

    @Test("An update of many records follows the same order")
    func updates() async throws {
        let record = Record(id: .version7(), version: 1, values: [.text("old"), .integer(1)])
        func plan(_ name: String) async throws -> RecordUpdate.Plan {
            let update = try await RecordUpdate(
                [FieldConstant(property: "name", value: name)], of: Self.tag, in: try Schema([Self.tag]),
                lookUp: Trimming())
            return try await update.plan(for: [record], lookUp: Trimming())
        }
        #expect(try await plan("    Long    ").changes.count == 1)
        #expect(try await plan("    OLD    ").unchanged == 1)
        #expect(try await plan("STOP").problems.map(\.message) == ["name: Stopped."])
        #expect(try await plan("longer").problems.map(\.message) == ["name: Enter at most 4 characters."])
    }
}
