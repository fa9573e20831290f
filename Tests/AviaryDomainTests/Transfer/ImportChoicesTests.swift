import Foundation
import Testing

@testable import AviaryDomain

@Suite("An import leaves out wrong lines and lines whose record exists when it is told to")
struct ImportChoicesTests {
    private func settings(
        match: ImportMatch = .none, constants: [FieldConstant] = [], skipsDuplicates: Bool = false,
        skipsErrors: Bool = true, createRelated: Bool = false
    ) throws -> RecordImport {
        RecordImport(
            model: specimenSchema.stored, schema: try importSchema(), createRelated: createRelated, match: match,
            constants: constants, skipsDuplicates: skipsDuplicates, skipsErrors: skipsErrors)
    }

    /// Runs an import and returns its report, the rejected lines and the stored changes.
    private func run(
        _ source: CSVSource, _ settings: RecordImport, _ lookUp: some RecordLookup = NothingStored()
    ) async throws -> (report: ImportReport, rejected: RejectedRecords, changes: [Change]) {
        var rejected = RejectedRecords(), changes: [Change] = []
        let report = try await settings.run(
            source, lookUp: lookUp, reject: { rejected = $0 },
            store: { plan in
                changes += plan.changes
                return Receipt(changeSet: .version7(), commit: 1, isRepeat: false)
            })
        return (report, rejected, changes)
    }

    private func codes(_ changes: [Change]) -> [FieldValue?] {
        changes.compactMap { change in
            guard case .insert("Specimen", _, let values) = change else { return nil }
            return values["code"]
        }
    }

    @Test("Wrong lines are left out, and the others are stored")
    func wrongLines() async throws {
        let source = CSVSource(Array("code,bodyMass\nN1,1\nN2,heavy\nN3,3,4\nN4,4\n".utf8))
        let (report, rejected, changes) = try await run(source, settings())
        #expect(codes(changes) == [.text("N1"), .text("N4")])
        #expect(report.rejected == 2 && report.lineCount == 2)
        #expect(rejected.reasons.keys.sorted() == [3, 4])
    }

    @Test("The file of wrong lines has the format of its source, and imports once it is mended")
    func rejects() async throws {
        let source = CSVSource(Array("code;bodyMass\nN1;1\n\"N;2\";heavy\nN3;3;4\n".utf8), separator: 0x3B)
        let (_, rejected, _) = try await run(source, settings())
        var bytes: [UInt8] = []
        try rejected.write(from: source) { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text == "import problem;code;bodyMass\r\n"
                + "bodyMass: Enter a whole number, such as 12.;\"N;2\";heavy\r\n"
                + "This record has 3 fields, but the header has 2. Quote fields that contain commas.;N3;3;4\r\n")
        let mended = text.replacing("heavy", with: "2").replacing(";3;4", with: ";3")
        let (again, _, changes) = try await run(CSVSource(Array(mended.utf8), separator: 0x3B), settings())
        #expect(again.rejected == 0 && codes(changes) == [.text("N;2"), .text("N3")])
    }

    @Test("The column of problems counts as used, and a second file of wrong lines has it once")
    func reasonColumn() async throws {
        let source = CSVSource(Array("import problem,code,bodyMass\nold,N1,heavy\n".utf8))
        #expect(try settings().unusedColumns(of: source) == [])
        var rejected = RejectedRecords()
        _ = try await settings().check(source, lookUp: NothingStored(), reject: { rejected = $0 })
        var bytes: [UInt8] = []
        try rejected.write(from: source) { bytes += $0 }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "import problem,code,bodyMass\r\n\"bodyMass: Enter a whole number, such as 12.\",N1,heavy\r\n")
    }

    @Test("A value that only a left-out line has may come again")
    func uniqueOfRejected() async throws {
        let source = CSVSource(Array("code,bodyMass\nN1,heavy\nN1,1\n".utf8))
        let (report, _, changes) = try await run(source, settings())
        #expect(report.rejected == 1 && codes(changes) == [.text("N1")])
    }

    @Test("A related record that only a left-out line names is not created")
    func relatedOfRejected() async throws {
        let source = CSVSource(Array("code,bodyMass,species\nN1,heavy,Adelie\nN2,2,Gentoo\n".utf8))
        let (report, _, _) = try await run(source, settings(createRelated: true))
        #expect(report.inserted == ["Specimen": 1, "Species": 1])
    }

    @Test("A line that refers to a left-out line is left out too")
    func dependent() async throws {
        let ids = (0..<3).map { _ in UUID.version7().canonicalText }
        let tree = model(
            "Tree", property("name", .string, attributes: [.required]),
            property("parent", .toOne(model: "Tree"), isOptional: true))
        let settings = RecordImport(model: tree, schema: try Schema([tree]), skipsErrors: true)
        let source = CSVSource(
            Array("id,name,parent\n\(ids[0]),,\n\(ids[1]),Leaf,\(ids[0])\n\(ids[2]),Root,\n".utf8))
        let (report, rejected, _) = try await run(source, settings)
        #expect(rejected.reasons.keys.sorted() == [2, 3] && report.inserted == ["Tree": 1])
    }

    @Test("Without the choice, one wrong line prevents the import")
    func stops() async throws {
        let source = CSVSource(Array("code,bodyMass\nN1,1\nN2,heavy\n".utf8))
        await #expect(throws: ImportError.self) { _ = try await run(source, settings(skipsErrors: false)) }
    }

    @Test("Lines whose unique value exists, in the store or on an earlier line, are skipped")
    func duplicates() async throws {
        let known = UUID.version7()
        let lookUp = StoredInMemory { _, values in values["code"] == .text("N1") ? [known] : [] }
        let source = CSVSource(Array("code\nN1\nN2\nN2\nN3\n".utf8))
        let (report, _, changes) = try await run(
            source, settings(skipsDuplicates: true, skipsErrors: false), lookUp)
        #expect(report.skipped == 2 && report.lineCount == 4 && codes(changes) == [.text("N2"), .text("N3")])
    }

    @Test("A wrong line whose record exists is still wrong")
    func wrongDuplicate() async throws {
        let lookUp = StoredInMemory { _, values in values["code"] == .text("N1") ? [UUID.version7()] : [] }
        let source = CSVSource(Array("code,bodyMass\nN1,heavy\n".utf8))
        await #expect(throws: ImportError.self) {
            _ = try await run(source, settings(skipsDuplicates: true, skipsErrors: false), lookUp)
        }
    }

    @Test("A value for all lines replaces the column of that name and fills a property without one")
    func constants() async throws {
        let source = CSVSource(Array("code,note\nN1,x\nN2,y\n".utf8))
        let settings = try settings(constants: [
            FieldConstant(parsing: "note=all=one"), FieldConstant(parsing: "diet=Herbivorous"),
        ])
        let (_, _, changes) = try await run(source, settings)
        let values = changes.map { change -> [FieldValue?] in
            guard case .insert(_, _, let values) = change else { return [] }
            return [values["note"], values["diet"]]
        }
        #expect(values == Array(repeating: [.text("all=one"), .text("herbivorous")], count: 2))
        #expect(try settings.unusedColumns(of: source) == ["note"])
    }

    @Test("A value for all lines that does not fit is refused before any line is read")
    func wrongConstant() async throws {
        let settings = try settings(constants: [FieldConstant(property: "bodyMass", value: "heavy")])
        #expect(
            throws: ImportError.unreadableConstant(
                property: "bodyMass", problem: "Enter a whole number, such as 12.")
        ) { try settings.checkNames() }
    }

    @Test("Blanks around the names of columns are ignored")
    func blanks() async throws {
        let source = CSVSource(Array("code , bodyMass\nN1,1\n".utf8))
        #expect(try source.columns() == ["code", "bodyMass"])
        #expect(try await run(source, settings()).report.inserted == ["Specimen": 1])
    }

    @Test("A default that an empty cell or a missing column stands for is counted")
    func defaults() async throws {
        let source = CSVSource(Array("code,diet\nN1,\nN2,herbivorous\n".utf8))
        let (report, _, _) = try await run(source, settings())
        #expect(report.defaulted == ["diet": 1, "isAdult": 2])
    }
}

@Suite("Equal problems of a file are counted together with their values")
struct ProblemGroupTests {
    private func groups(_ text: String, _ specimen: ModelSchema = specimenSchema) async throws -> ProblemGroups {
        do {
            _ = try await plan(text, specimen: specimen)
            return ProblemGroups()
        } catch let error as ImportError {
            return error.groups
        }
    }

    @Test("A message has its lines, its number and the most frequent values first")
    func counted() async throws {
        let lines = (0..<300).map { "N\($0),\($0 < 200 ? "heavy" : "light")\n" }.joined()
        let group = try #require(try await groups("code,bodyMass\n" + lines).all.first)
        #expect(group.message == "bodyMass: Enter a whole number, such as 12.")
        #expect(group.count == 300 && group.firstLine == 2 && group.lastLine == 301 && !group.hasMoreValues)
        #expect(group.values.map(\.text) == ["heavy", "light"] && group.values.map(\.count) == [200, 100])
    }

    @Test("Repeated values are one group, whichever lines had them first")
    func repeated() async throws {
        // Up to a hundred problems are listed by line.
        let lines = (0..<150).map { "N\($0)\n" }.joined()
        let all = try await groups("code\n" + lines + lines).all
        #expect(all.map(\.message) == ["code: An earlier line has the same value. Values must be unique."])
        #expect(all.first?.count == 150)
    }

    @Test("The value of a secret is not shown")
    func secret() async throws {
        let specimen = model(
            "Specimen", property("code", .string, attributes: [.unique, .required]),
            property("pin", .string, isOptional: true, attributes: [.secret, .length(6...)]))
        let all = try await groups("code,pin\nN1,hush\n", specimen).all
        #expect(all.map(\.count) == [1] && all.first?.values == [])
    }
}

@Suite("Files of other encodings are read as UTF-8")
struct TextDecoderTests {
    @Test("Windows-1252 has the punctuation that Latin-1 lacks")
    func windows() {
        var decoder = TextDecoder(.windows1252)
        let text = decoder.decode([0x63, 0x61, 0x66, 0xE9, 0x80, 0x93])
        #expect(text.map { String(decoding: $0, as: UTF8.self) } == "café€“")
    }

    @Test("UTF-16 is read in both byte orders, with and without a mark", arguments: [true, false], [true, false])
    func utf16(isBigEndian: Bool, hasMark: Bool) {
        let units = Array(((hasMark ? "\u{FEFF}" : "") + "a,🐧").utf16)
        let bytes = units.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        var decoder = TextDecoder(.utf16)
        // Each byte comes alone, so that characters are split.
        var text: [UInt8] = []
        for byte in bytes { text += decoder.decode([byte]) ?? [] }
        text += decoder.decode([], isLast: true) ?? []
        #expect(String(decoding: text, as: UTF8.self) == "a,🐧")
    }

    @Test("UTF-16 that ends within a character is no text")
    func cut() {
        var decoder = TextDecoder(.utf16)
        #expect(decoder.decode([0x61, 0x00, 0x62]) == [0x61])
        #expect(decoder.decode([], isLast: true) == nil)
    }

    @Test(
        "A day is taken from a time whose day in UTC is the written one",
        arguments: [
            ("2013-01-01T06:00:00Z", "2013-01-01"), ("2013-01-01 06:00", "2013-01-01"),
            ("2013-01-01T06:00:00.25+05:30", "2013-01-01"), ("2013-01-01T23:00:00-05:00", nil),
            ("2013-01-01T00:30+0100", nil), ("2013-02-30T06:00:00Z", nil), ("2013-01-01", nil),
            ("2013-01-01T06:00:00+", nil), ("2013-01-01T06:00:00Zulu", nil),
        ])
    func day(text: String, day: String?) {
        #expect(CalendarDate.day(ofTime: text) == day)
    }
}
