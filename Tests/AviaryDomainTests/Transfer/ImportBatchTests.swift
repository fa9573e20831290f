import Foundation
import Synchronization
import Testing

@testable import AviaryDomain

@Suite("Importing in batches")
struct ImportBatchTests {
    private static func file(_ count: Int, last: String = "") -> CSVSource {
        CSVSource(Array(("code\n" + (0..<count).map { "c\($0)\n" }.joined() + last).utf8))
    }

    private func settings(match: ImportMatch = .none) throws -> RecordImport {
        RecordImport(model: specimenSchema.stored, schema: try importSchema(), match: match)
    }

    /// Runs the import and returns the batches that were stored.
    private func run(
        _ source: CSVSource, _ settings: RecordImport, _ lookUp: some RecordLookup = NothingStored(),
        failingAt batch: Int? = nil
    ) async throws -> (report: ImportReport, batches: [[Change]]) {
        var batches: [[Change]] = []
        let report = try await settings.run(source, lookUp: lookUp) { plan in
            if batches.count == batch { throw StoreError.unanswered }
            batches.append(plan.changes)
            return Receipt(changeSet: .version7(), commit: Int64(batches.count), isRepeat: false)
        }
        return (report, batches)
    }

    @Test("Every batch but the last is full, and the report covers all batches")
    func sizes() async throws {
        let (report, batches) = try await run(Self.file(1203), settings())
        #expect(batches.map(\.count) == [500, 500, 203])
        #expect(report.inserted == ["Specimen": 1203] && report.lineCount == 1203 && report.lastLine == 1204)
        #expect(report.commits == [1, 2, 3])
    }

    @Test("A file with too many values to compare is rejected before anything is stored")
    func tooManyValues() async throws {
        let settings = RecordImport(
            model: specimenSchema.stored, schema: try importSchema(), limits: RecordImport.Limits(values: 600))
        #expect(try await run(Self.file(600), settings).batches.map(\.count) == [500, 100])
        await #expect(throws: ImportError.tooManyValues(limit: 600)) {
            _ = try await run(Self.file(601), settings, failingAt: 0)
        }
    }

    @Test("A file with too many records that may refer to each other is rejected")
    func tooManyTogether() async throws {
        let specimen = model(
            "Specimen", property("code", .string, attributes: [.unique, .required]),
            property("parent", .toOne(model: "Specimen"), isOptional: true))
        let settings = RecordImport(
            model: specimen, schema: try Schema([specimen]), limits: RecordImport.Limits(together: 600))
        #expect(try await run(Self.file(600), settings).batches.map(\.count) == [600])
        await #expect(throws: ImportError.tooManyTogether(limit: 600)) {
            _ = try await run(Self.file(601), settings, failingAt: 0)
        }
    }

    @Test("An error in the last line stores nothing")
    func lastLine() async throws {
        await #expect(
            throws: ImportError.lines(
                [LineError(line: 1205, message: "code: Line 9 has the same value. Values must be unique.")], more: 0)
        ) {
            _ = try await run(Self.file(1203, last: "c7\n"), settings(), failingAt: 0)
        }
    }

    @Test("An interrupted import reports the last stored line and the commits")
    func interrupted() async throws {
        do {
            _ = try await run(Self.file(1203), settings(), failingAt: 2)
            Issue.record("It was stored.")
        } catch let error as ImportInterruption {
            #expect(error.stored.lineCount == 1000 && error.stored.lastLine == 1001 && error.stored.commits == [1, 2])
            #expect(error.reason as? StoreError == .unanswered)
            #expect("\(error)".contains("The lines up to 1001 are stored, by commits 1 and 2."))
        }
    }

    @Test("An interruption with an unknown outcome of the first batch refers to Activity")
    func unanswered() async throws {
        let error = try #require(
            await #expect(throws: ImportInterruption.self) {
                _ = try await run(Self.file(3), settings(), failingAt: 0)
            })
        #expect(error.reason as? StoreError == .unanswered && error.stored.commits.isEmpty)
        #expect(
            "\(error)".contains("Look in Activity whether the first batch is stored.")
                && "\(error)".contains("--after-line"))
        #expect(!"\(error)".contains("are stored, by"))
    }

    @Test("An interruption without stored changes names no commits")
    func nothingToStore() throws {
        var stored = ImportReport()
        (stored.unchanged, stored.lineCount, stored.lastLine) = (500, 500, 501)
        let error = ImportInterruption(stored: stored, reason: StoreError.outOfSpace)
        #expect(
            "\(error)".hasSuffix("Up to line 501 there was nothing to store. Go on behind it with --after-line 501."))
    }

    @Test("A resumed import skips the stored lines and reports all lines")
    func behind() async throws {
        var stored = ImportReport()
        (stored.inserted, stored.lineCount, stored.lastLine, stored.commits) = (["Specimen": 500], 500, 501, [7])
        var batches: [Int] = []
        let report = try await settings().run(Self.file(1203), behind: stored, lookUp: NothingStored()) { plan in
            batches.append(plan.changes.count)
            return Receipt(changeSet: .version7(), commit: 8, isRepeat: false)
        }
        #expect(batches == [500, 203])
        #expect(
            report.lineCount == 1203 && report.lastLine == 1204 && report.inserted == ["Specimen": 1203]
                && report.commits == [7, 8, 8])
    }

    @Test("A resent first batch ends at its original line", arguments: [2, 700])
    func sentBefore(line: Int) async throws {
        var ends: [Int] = []
        _ = try await settings().run(Self.file(1203), firstBatchTo: line, lookUp: NothingStored()) { plan in
            ends.append(plan.report.lastLine)
            return Receipt(changeSet: .version7(), commit: 1, isRepeat: false)
        }
        #expect(ends == [line, line + 500] + (line == 2 ? [1002, 1204] : [1204]))
    }

    @Test("Long texts make a batch smaller")
    func long() async throws {
        let text = String(repeating: "x", count: 900_000)
        let source = CSVSource(Array(("code,note\n" + (0..<12).map { "c\($0),\(text)\n" }.joined()).utf8))
        #expect(try await run(source, settings()).batches.map(\.count) == [5, 5, 2])
    }

    @Test("A matched record is updated only in the properties that differ")
    func updated() async throws {
        let ids = [UUID.version7(), .version7()]
        func record(_ id: UUID, _ code: String, _ note: String) -> Record {
            let values: [String: FieldValue] = [
                "code": .text(code), "note": .text(note), "bodyMass": .integer(7), "diet": .text("herbivorous"),
                "isAdult": .integer(0),
            ]
            return Record(
                id: id, version: 4, values: specimenSchema.stored.storedProperties.map { values[$0.name] ?? .null })
        }
        let stored = StoredRecords(records: [ids[0]: record(ids[0], "a", "old"), ids[1]: record(ids[1], "b", "same")])
        let source = CSVSource(Array("code,note\na,new\nb,same\nc,first\n".utf8))
        let (report, batches) = try await run(source, settings(match: .property("code")), stored)
        #expect(report.updated == 1 && report.unchanged == 1 && report.inserted == ["Specimen": 1])
        #expect(batches.count == 1 && batches[0].count == 2)
        #expect(batches[0][0] == .update(model: "Specimen", id: ids[0], version: 4, values: ["note": .text("new")]))
        guard case .insert(_, _, let values) = batches[0][1] else {
            Issue.record("The third is no new record.")
            return
        }
        #expect(values["code"] == .text("c") && values["diet"] == .text("carnivorous"))
    }

    @Test("A record that is older than a rule is changed where the file touches no broken one")
    func older() async throws {
        let box = model(
            "Box", property("code", .string, attributes: [.unique]),
            property("note", .string, attributes: [.length(3...)]), property("size", .integer))
        let id = UUID.version7()
        let stored = StoredRecords(records: [
            id: Record(id: id, version: 4, values: [.text("a"), .text("x"), .integer(7)])
        ])
        let settings = RecordImport(model: box, schema: try Schema([box]), match: .property("code"))
        let good = CSVSource(Array("code,note,size\na,x,8\n".utf8))
        #expect(
            try await run(good, settings, stored).batches
                == [[.update(model: "Box", id: id, version: 4, values: ["size": .integer(8)])]])
        let bad = CSVSource(Array("code,note,size\na,y,8\n".utf8))
        await #expect(
            throws: ImportError.lines(
                [LineError(line: 2, message: "note: Enter at least 3 characters.")], more: 0)
        ) {
            _ = try await run(bad, settings, stored)
        }
    }

    @Test("An update to a value that another record has is an error")
    func taken() async throws {
        let id = UUID.version7(), other = UUID.version7()
        let values = specimenSchema.stored.storedProperties.map {
            $0.name == "code" ? FieldValue.text("b") : $0.defaultValue
        }
        let stored = StoredRecords(records: [
            other: Record(id: other, version: 1, values: values),
            id: Record(id: id, version: 1, values: values.map { $0 == .text("b") ? .text("a") : $0 }),
        ])
        let source = CSVSource(Array("id,code\n\(id.canonicalText),b\n".utf8))
        await #expect(
            throws: ImportError.lines(
                [LineError(line: 2, message: "code: This value already exists. Values must be unique.")], more: 0)
        ) {
            _ = try await run(source, settings(match: .id), stored)
        }
    }

    @Test(
        "A property that cannot identify records is rejected",
        arguments: [
            ("note", "note can’t identify records"), ("id", "No column is mapped to id"),
            ("colour", "has no property"),
        ])
    func match(name: String, problem: String) async throws {
        do {
            _ = try await run(Self.file(2), settings(match: ImportMatch(named: name)))
            Issue.record("It was taken.")
        } catch let error as ImportError {
            #expect(error.description.contains(problem))
        }
    }

    @Test("Records that may refer to each other form one batch")
    func oneBatch() async throws {
        let person = model(
            "Person", property("name", .string), property("parent", .toOne(model: "Person"), isOptional: true))
        let source = CSVSource(Array(("name\n" + (0..<700).map { "p\($0)\n" }.joined()).utf8))
        let settings = RecordImport(model: person, schema: try Schema([person]))
        #expect(try await run(source, settings).batches.map(\.count) == [700])
    }

    @Test("The result does not depend on how the bytes are divided", arguments: [1, 2, 3, 5, 1000])
    func parts(size: Int) async throws {
        let text = Array("\u{FEFF}code,note\r\na,\"x\r\n\"\"y\"\"\"\r\nb,ä\r\n\r\nc,\"\"".utf8)
        let source = CSVSource { Parts(text, size: size) }
        let whole = CSVSource(text)
        #expect(try source.columns() == ["code", "note"])
        #expect(try records(source) == records(whole))
        #expect(try records(whole).map(\.line) == [2, 4, 6])
    }

    @Test("An unclosed quote is rejected before the file fills memory")
    func endless() async throws {
        // The source is opened once for the header and once for the records.
        let header = Endless(), endless = Endless(), isFirst = Mutex(true)
        let source = CSVSource {
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? header : endless
            }
        }
        await #expect(throws: ImportError.self) { _ = try await settings().check(source, lookUp: NothingStored()) }
        #expect(endless.count < 80 << 20)
    }

    private func records(_ source: CSVSource) throws -> [ImportRecord] {
        var reader = try source.records(), records: [ImportRecord] = []
        while let result = try reader.next() { records.append(try result.get()) }
        return records
    }
}

extension ModelSchema {
    /// The schema without properties that are not stored.
    var stored: ModelSchema { ModelSchema(name: name, properties: storedProperties) }
}

private struct StoredRecords: RecordLookup {
    let records: [UUID: Record]

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        records.values.filter { record in values.allSatisfy { record.value($0.key, in: model) == $0.value } }.map(\.id)
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { records[id] != nil }
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { records[id] }
    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
}

private final class Parts: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let size: Int
    let failure: (any Error)? = nil

    init(_ bytes: [UInt8], size: Int) {
        rest = bytes[...]
        self.size = size
    }

    func next() -> [UInt8] {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
}

/// A source with a header followed by a quotation mark that is never closed.
private final class Endless: ByteSource, @unchecked Sendable {  // Only one test reads the source.
    private(set) var count = 0
    let failure: (any Error)? = nil

    func next() -> [UInt8] {
        let beginning = count == 0 ? Array("code,note\n\"".utf8) : []
        count += 1 << 20
        return beginning + [UInt8](repeating: 65, count: 1 << 20)
    }
}
