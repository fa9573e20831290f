import AviaryDomain
import TestSupport
import Testing

@Suite("Reading CSV according to RFC 4180")
struct CSVReaderTests {
    @Test("Fields are separated by commas, and records by CRLF, LF or CR", arguments: ["\r\n", "\n", "\r"])
    func lineBreaks(lineBreak: String) throws {
        #expect(
            try records(["a,b", "1,2", ",", ""].joined(separator: lineBreak)) == [
                CSVRecord(line: 1, fields: ["a", "b"]), CSVRecord(line: 2, fields: ["1", "2"]),
                CSVRecord(line: 3, fields: ["", ""]),
            ])
    }

    @Test("The final line break is optional")
    func withoutFinalBreak() throws {
        #expect(try fields("a,b\n1,2") == [["a", "b"], ["1", "2"]])
        #expect(try fields("a,b\n1,") == [["a", "b"], ["1", ""]])
        #expect(try fields("a\n\"1\"") == [["a"], ["1"]])
    }

    @Test("A byte order mark is skipped, even before a quote")
    func byteOrderMark() throws {
        #expect(try fields("\u{FEFF}a,b\n1,2") == [["a", "b"], ["1", "2"]])
        #expect(try fields("\u{FEFF}\"a\",b") == [["a", "b"]])
    }

    @Test("Quotes preserve commas, line breaks and spaces, and a doubled quote is one quote")
    func quotes() throws {
        #expect(
            try fields("\"a,b\",\" c \",\"d\r\ne\"\n\"\",\"\"\"\",\"say \"\"hello\"\"\"") == [
                ["a,b", " c ", "d\r\ne"], ["", "\"", "say \"hello\""],
            ])
    }

    @Test("A record with too many fields is an error and ends the file")
    func tooManyFields() throws {
        #expect(try fields(String(repeating: "a,", count: 999) + "a\n").first?.count == 1000)
        var reader = CSVReader(Array((String(repeating: "a,", count: 2_000_000) + "\nb\n").utf8))
        #expect(throws: CSVError.tooManyFields(line: 1, limit: 1000)) { _ = try reader.next() }
        #expect(try reader.next() == nil)
    }

    @Test("A header field has a maximum length, but a value can be longer")
    func longName() throws {
        var reader = CSVReader(Array((String(repeating: "a", count: 1001) + "\nb\n").utf8))
        #expect(throws: CSVError.longName(line: 1, limit: 1000)) { _ = try reader.next() }
        #expect(try reader.next() == nil)
        #expect(try fields("a\n" + String(repeating: "b", count: 1001)).last?.first?.utf8.count == 1001)
    }

    @Test("Spaces outside quotes belong to the field")
    func blanks() throws {
        #expect(try fields(" a , b ") == [[" a ", " b "]])
    }

    @Test("Empty lines are skipped but counted")
    func emptyLines() throws {
        #expect(try records("\n\r\na\n\n\n1\r\r2\n\n").map(\.line) == [3, 6, 8])
        #expect(try records("").isEmpty && records("\n\n").isEmpty)
    }

    @Test("An empty quoted field is a record")
    func emptyQuotedField() throws {
        #expect(try fields("a\n\"\"\n") == [["a"], [""]])
    }

    @Test("A record has the number of its first line, after line breaks in quotes")
    func lineNumbers() throws {
        #expect(try records("a\r\n\"1\n2\r\n3\r4\"\n5").map(\.line) == [1, 2, 6])
    }

    @Test(
        "A malformed record is an error with its line",
        arguments: [
            ("a\n\"1\n2", .unterminatedQuote(line: 2)),
            ("a,b\n\"1\n2\",\"3", .unterminatedQuote(line: 3)),
            ("a\n\"1\"2\n", .textAfterQuote(line: 2)),
            ("a\n\"1\n\" \n", .textAfterQuote(line: 3)),
            ("a\n5\" nails\n", .quoteInUnquotedField(line: 2)),
            ("a\n \"1\"\n", .quoteInUnquotedField(line: 2)),
            ("a,b\n\n1\n", .ragged(line: 3, expected: 2, found: 1)),
            ("a,b\n1,2,3\n", .ragged(line: 2, expected: 2, found: 3)),
        ] as [(String, CSVError)])
    func malformed(text: String, error: CSVError) {
        #expect(throws: error) { try records(text) }
    }

    @Test(
        "Invalid UTF-8 is an error with its line",
        arguments: [
            [0xE9], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF, 0xFE],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: CSVError.invalidUTF8(line: 2)) { try records(Array("a\n".utf8) + bytes + Array("\n".utf8)) }
        #expect(throws: CSVError.invalidUTF8(line: 2)) { try records(Array("a\n\"".utf8) + bytes + Array("\"".utf8)) }
    }

    @Test("Reading continues with the next record after an error")
    func continues() throws {
        var reader = CSVReader(Array("a,b\n\"1\"x,\"2\n3\"\n4,5\n".utf8))
        #expect(try reader.next()?.fields == ["a", "b"])
        #expect(throws: CSVError.textAfterQuote(line: 2)) { try reader.next() }
        #expect(try reader.next() == CSVRecord(line: 4, fields: ["4", "5"]))
        #expect(try reader.next() == nil)
    }

    @Test("An error gives advice and does not quote the file")
    func messages() {
        #expect(
            CSVError.ragged(line: 7, expected: 3, found: 2).description
                == "line 7: This record has 2 fields, but the header has 3. Quote fields that contain commas.")
    }
}

@Suite("Fuzzing the CSV reader")
struct CSVFuzzTests {
    @Test("Random tables survive a round trip through CSV", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let columns = Int.random(in: 1...5, using: &generator)
        let table = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            (0..<columns).map { _ in randomField(using: &generator) }
        }
        let lineBreak = ["\n", "\r\n", "\r"].randomElement(using: &generator) ?? "\n"
        var text = Bool.random(using: &generator) ? "\u{FEFF}" : ""
        var lines: [Int] = []
        for (index, row) in table.enumerated() {
            lines.append(countLineBreaks(text) + 1)
            text += row.map { encode($0, isAlone: columns == 1, using: &generator) }.joined(separator: ",")
            if index + 1 < table.count || Bool.random(using: &generator) { text += lineBreak }
        }
        let records = try records(text)
        #expect(records.map(\.fields) == table)
        #expect(records.map(\.line) == lines)
    }

    @Test(
        "Random bytes end in records or errors, without a trap or an endless loop", arguments: 0..<200 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [34, 34, 44, 44, 10, 13, 97, 32, 0, 0xC3, 0xA9, 0xFF]
        let bytes = (0..<Int.random(in: 0...60, using: &generator)).compactMap { _ in
            alphabet.randomElement(using: &generator)
        }
        var reader = CSVReader(bytes)
        var steps = 0
        while steps <= bytes.count {
            steps += 1
            do {
                if try reader.next() == nil { break }
            } catch {
                #expect(error.line >= 1)
            }
        }
        #expect(steps <= bytes.count + 1)
    }

    private func randomField(using generator: inout SeededGenerator) -> String {
        let parts = ["a", "bc", " ", ",", "\"", "\n", "\r\n", "é", "e\u{301}", "\u{1F99C}", "\t"]
        return (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ in parts.randomElement(using: &generator) }
            .joined()
    }

    private func encode(_ field: String, isAlone: Bool, using generator: inout SeededGenerator) -> String {
        let needsQuotes = field.utf8.contains { [34, 44, 10, 13].contains($0) } || (isAlone && field.isEmpty)
        guard needsQuotes || Bool.random(using: &generator) else { return field }
        return "\"" + field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    private func countLineBreaks(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return bytes.indices.count {
            bytes[$0] == 10 || (bytes[$0] == 13 && !(bytes.indices.contains($0 + 1) && bytes[$0 + 1] == 10))
        }
    }
}

private func records(_ text: String) throws -> [CSVRecord] { try records(Array(text.utf8)) }

private func records(_ bytes: [UInt8]) throws -> [CSVRecord] {
    var reader = CSVReader(bytes)
    var records: [CSVRecord] = []
    while let record = try reader.next() {
        records.append(record)
    }
    return records
}

private func fields(_ text: String) throws -> [[String]] { try records(text).map(\.fields) }
