import Aviary
import AviaryDomain
import Synchronization
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

/// A model that counts how often a record becomes a Swift value.
private struct Ticket: Model {
    static let decoded = Mutex(0)
    /// The number of records that became Swift values in calls of `saved`.
    static let decodedBySaved = Mutex(0)

    var id = RecordID<Ticket>()
    var number: Int

    static let schema = ModelSchema(Ticket.self, [.init(\.number, "number")])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        number = try reader.next("number")
        Self.decoded.withLock { $0 += 1 }
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(number)
    }

    /// Returns the earlier tickets.
    static func earlier(_ save: SaveContext) throws -> [Ticket] {
        let before = decoded.withLock(\.self)
        let tickets = try save.saved(Ticket.self)
        let count = decoded.withLock(\.self) - before
        decodedBySaved.withLock { $0 += count }
        return tickets
    }
}

/// An application whose tickets have ascending numbers.
private struct Queue: AviaryApp {
    var admin: some Admin { ModelAdmin(Ticket.self) }

    @SaveHookBuilder var saveHooks: [SaveHook] {
        SaveHook.before(Ticket.self) { ticket, save in
            let earlier = try Ticket.earlier(save)
            guard earlier.map(\.number) == Array(0..<ticket.number) else {
                throw SaveError(\Ticket.number, "A number is missing.")
            }
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

    @Test("Each line becomes a Swift value once for the hooks of the lines after it")
    func decoding() async throws {
        let app = try AppDefinition(Queue.self)
        let model = try #require(app.schema.model("Ticket"))
        let lines = ["number"] + (0..<500).map { String($0) }
        let report = try await RecordImport(model: model, schema: app.schema).check(
            CSVSource(Array(lines.joined(separator: "\n").utf8)), lookUp: UnstoredRecords(app: app))
        #expect(report.lineCount == 500)
        #expect(Ticket.decodedBySaved.withLock(\.self) == 499)
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
        let kept = try records.values(Movement.self).map(\.quantity)
        #expect(kept.count == 10_001 && kept.first == 10_000 && kept.last == 20_000)
    }

    @Test("Values that a hook has got already follow the records that come and go")
    func cached() throws {
        let records = EarlierRecords()
        func note(_ number: Int) {
            records.note(Record(id: .version7(), version: 0, values: [.integer(Int64(number))]), of: Movement.schema)
        }
        func numbers() throws -> [Int] { try records.values(Movement.self).map(\.quantity) }
        for number in 0..<20_000 { note(number) }
        records.endLine(isSaved: true)
        #expect(try numbers() == Array(0..<20_000))
        note(20_000)
        #expect(try numbers() == Array(10_000...20_000))
        records.endLine(isSaved: false)
        #expect(try numbers() == Array(10_000..<20_000))
        note(7)
        #expect(try numbers().last == 7)
    }
}
