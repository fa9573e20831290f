import Aviary
import AviaryDomain
import Testing

@testable import AviaryAdmin

@Model
private struct Movement {
    var quantity: Int
}

@Model
private struct Seat {
    @Attribute(.required, .unique) var code: String
}

/// An application whose stock must not become negative, and which has two seats.
private struct Storeroom: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Movement.self)
        ModelAdmin(Seat.self)
    }

    @SaveHookBuilder var saveHooks: [SaveHook] {
        SaveHook.before(Seat.self) { _, save in
            guard try save.saved(Seat.self).count < 2 else { throw SaveError(\Seat.code, "All seats are taken.") }
        }
        SaveHook.before(Movement.self) { movement, save in
            let stock = try save.saved(Movement.self).reduce(movement.quantity) { $0 + $1.quantity }
            guard stock >= 0 else { throw SaveError(\Movement.quantity, "There are not so many.") }
        }
    }
}

@Suite("Hooks in the check of an import")
struct EarlierLinesTests {
    private func check(_ lines: String..., records: UnstoredRecords? = nil) async throws -> ImportReport {
        let app = try AppDefinition(Storeroom.self)
        let model = try #require(app.schema.model("Movement"))
        return try await RecordImport(model: model, schema: app.schema).check(
            CSVSource(Array((["quantity"] + lines).joined(separator: "\n").utf8)),
            lookUp: records ?? UnstoredRecords(app: app))
    }

    @Test("A hook sees the lines before its own, and none after it")
    func earlier() async throws {
        #expect(try await check("5", "-3", "-2").lineCount == 3)
        let error = await #expect(throws: ImportError.self) { try await check("-3", "5") }
        #expect(error?.wrongLines?.count == 1)
        #expect("\(try #require(error))".hasPrefix("line 2: quantity: There are not so many."))
    }

    @Test("A hook does not see lines that the import leaves out", arguments: [true, false])
    func leftOut(skipsErrors: Bool) async throws {
        let app = try AppDefinition(Storeroom.self)
        let model = try #require(app.schema.model("Seat"))
        let report = try await RecordImport(
            model: model, schema: app.schema, skipsDuplicates: !skipsErrors, skipsErrors: skipsErrors
        ).check(CSVSource(Array("code\nA\nA\nA\nB".utf8)), lookUp: UnstoredRecords(app: app))
        #expect(report.lineCount - report.skipped == 2)
        #expect(skipsErrors ? report.rejected == 2 : report.skipped == 2)
    }

    @Test("A second check of the same look-up begins without the lines of the first")
    func again() async throws {
        let records = UnstoredRecords(app: try AppDefinition(Storeroom.self))
        #expect(try await check("5", records: records).lineCount == 1)
        await #expect(throws: ImportError.self) { try await check("-3", records: records) }
    }

    @Test("A hook sees the last 10,000 records at least")
    func bounded() throws {
        let records = EarlierRecords()
        for number in 0..<20_001 {
            records.note(Record(id: .version7(), version: 0, values: [.integer(Int64(number))]), of: Movement.schema)
        }
        let kept = try #require(records.records["Movement"]).map(\.values)
        #expect(kept.count == 10_001 && kept.first == [.integer(10_000)] && kept.last == [.integer(20_000)])
    }
}
