import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Import files in CSV or JSON Lines")
struct FileImportSourceTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    private func source(_ text: String, limits: ImportLimits = .own) throws -> FileImportSource {
        let path = directory.path + "/file"
        try Data(text.utf8).write(to: URL(filePath: path))
        return try FileImportSource(path, limits: limits)
    }

    /// Returns the reason why the file has no columns.
    private func refusal(_ text: String) throws -> String? {
        let source = try source(text)
        do {
            _ = try source.columns()
            return nil
        } catch let error as ImportError {
            return error.description
        }
    }

    @Test("An object or a file with more names than a model has properties is rejected")
    func tooManyNames() throws {
        let members = (0..<1001).map { "\"p\($0)\":1" }
        let wide = try refusal("{" + members.joined(separator: ",") + "}\n")
        #expect(wide == "line 1: This is not a JSON object: an object has more than 1000 names.")
        let tall = try refusal(members.map { "{\($0)}\n" }.joined())
        #expect(
            tall
                == "line 1001: Up to this line the file has more than 1,000 different names, more than any model has properties."
        )
    }

    /// Returns the problems of the file's records.
    private func problems(_ source: FileImportSource) throws -> [LineError] {
        var reader = try source.records(), problems: [LineError] = []
        while let result = try reader.next() {
            if case .failure(let problem) = result { problems.append(problem) }
        }
        return problems
    }

    @Test("A line with too many values in an upload is rejected with its number and ends the reading")
    func tooManyValues() throws {
        // The member itself adds one value.
        func line(_ count: Int) -> String {
            "{\"code\":[" + Array(repeating: "1", count: count - 1).joined(separator: ",") + "]}\n"
        }
        let text = "{\"code\":\"a\"}\n" + line(100_000) + line(100_001) + line(100_001)
        let message =
            "This line has more than 100,000 values. The lines after it aren’t read. Use the import command for this file."
        #expect(
            try problems(source(text, limits: .uploaded)).map(\.description) == ["line 3: \(message)"])
        #expect(try problems(source(text)).isEmpty)
    }

    @Test("A record above 6 MiB in an upload is rejected in JSON and in CSV", arguments: [true, false])
    func tooLong(isJSON: Bool) throws {
        let long = String(repeating: "a", count: 6 << 20)
        let text = isJSON ? "{\"code\":\"a\"}\n{\"code\":\"\(long)\"}\n" : "code,name\na,b\n\(long),b\n"
        let uploaded = try problems(source(text, limits: .uploaded))
        #expect(uploaded.map(\.line) == [isJSON ? 2 : 3])
        #expect(try problems(source(text)).isEmpty)
    }

    /// Writes a compressed file and returns its path.
    private func compressed(_ text: String, cutBy count: Int = 0) throws -> String {
        let path = directory.path + "/file"
        let file = try AtomicFile(path)
        let writer = try GzipWriter(to: file.sink, level: 1)
        try writer.write(Array(text.utf8))
        try writer.finish()
        try file.publish()
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.dropLast(count).write(to: URL(filePath: path))
        return path
    }

    @Test("A file that gzip compressed is read, whatever its name", arguments: ["code\na\n", "{\"code\":\"a\"}\n"])
    func gzip(text: String) throws {
        let source = try FileImportSource(compressed(text), limits: .own)
        #expect(try source.columns() == ["code"])
        var reader = try source.records()
        guard case .success(let record)? = try reader.next() else {
            Issue.record("There is no record.")
            return
        }
        #expect(record.cells.map(\.shown) == ["a"])
    }

    @Test("A compressed file that is cut off, or that grows beyond the limit of uploads, is refused")
    func damagedGzip() throws {
        let cut = try FileImportSource(compressed("code\na\n", cutBy: 6), limits: .own)
        #expect(throws: ImportError.damagedArchive) { _ = try problems(cut) }
        try FileManager.default.removeItem(atPath: directory.path + "/file")
        let large = try FileImportSource(
            compressed("code\n" + String(repeating: "a\n", count: 200)),
            limits: ImportLimits(recordSize: 1000, values: 10, expandedSize: 300))
        #expect(throws: ImportError.expandedTooLarge(limit: 300)) { _ = try problems(large) }
    }

    @Test("A byte order mark goes before the named encoding")
    func encodings() throws {
        let path = directory.path + "/file"
        try Data(Array("caf".utf8) + [0xE9, 10] + Array("a\n".utf8)).write(to: URL(filePath: path))
        #expect(try FileImportSource(path, limits: .own, encoding: .windows1252).columns() == ["café"])
        try Data([0xEF, 0xBB, 0xBF] + Array("café\na\n".utf8)).write(to: URL(filePath: path))
        #expect(try FileImportSource(path, limits: .own, encoding: .windows1252).columns() == ["café"])
        try Data([0xFF, 0xFE] + "café\na\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            .write(to: URL(filePath: path))
        #expect(try FileImportSource(path, limits: .own).columns() == ["café"])
    }

    @Test("A wrong line of JSON Lines is written with its problem, and one that is no object as it is")
    func rejectedJSON() throws {
        let source = try source("{\"code\":\"a\",\"n\":1.50}\n{]\n")
        var reader = try source.records()
        #expect(reader.rejectionHeader.isEmpty)
        _ = try reader.next()
        #expect(
            String(decoding: reader.rejection(because: "Why"), as: UTF8.self)
                == "{\"import problem\":\"Why\",\"code\":\"a\",\"n\":1.50}\n")
        _ = try reader.next()
        #expect(String(decoding: reader.rejection(because: "Why"), as: UTF8.self) == "{]\n")
    }

    @Test("A duplicate name in a large object is rejected")
    func duplicateAmongMany() throws {
        let members = (0..<100).map { "\"p\($0)\":1" } + ["\"p70\":1"]
        #expect(
            try refusal("{" + members.joined(separator: ",") + "}\n")
                == "line 1: This is not a JSON object: duplicate name.")
    }

    @Test(
        "A JSON Lines file without columns is rejected with its first problem",
        arguments: [
            (#"{"name":"a","name":"b"}"#, "line 1: This is not a JSON object: duplicate name."),
            ("\n{\"name\":1e999}\n{]", "line 2: This is not a JSON object: invalid number."),
            (
                "{\n  \"name\": \"a\"\n}\n",
                "line 1: This is not a JSON object: unexpected end. Put each object on one line, as `jq -c .` does."
            ),
            ("{}\n{}\n", "line 1: This object is empty."),
        ])
    func noColumns(text: String, message: String) throws {
        #expect(try refusal(text) == message)
    }

    @Test(
        "The reason of a rejection is in the current language",
        arguments: [
            (#"{"name":"a","name":"b"}"#, "doppelter Name."),
            ("{\n}", "unerwartetes Ende. Jedes Objekt in eine Zeile schreiben"),
            ("{}\n{}\n", "Dieses Objekt ist leer."),
        ])
    func german(text: String, words: String) async throws {
        let reported = try await Language.german.use { try refusal(text) }
        #expect(reported?.contains(words) == true)
    }

    @Test("An invalid line is reported during reading if another line names columns")
    func someColumns() throws {
        let source = try source("{]\n{\"code\":\"a\"}\n")
        #expect(try source.columns() == ["code"])
        var reader = try source.records()
        guard case .failure(let problem)? = try reader.next() else {
            Issue.record("the first line was taken")
            return
        }
        #expect(problem.line == 1)
    }

    @Test(
        "A JSON array is rejected with the command that converts the array to lines",
        arguments: [
            #"[{"code":"a"},{"code":"b"}]"#, "\u{FEFF}\n [\n  {\n \"code\": \"a\" } ]", "[]", "[",
        ])
    func array(text: String) throws {
        #expect(try refusal(text) == "The file is a JSON array. Put each object on one line, as `jq -c '.[]'` does.")
    }

    @Test("A column name in CSV may be in brackets")
    func brackets() throws {
        let source = try source("[code],name\na,b\n")
        #expect(source.format == .csv)
        #expect(try source.columns() == ["[code]", "name"])
    }

    @Test(
        "An array, object or boolean is not a valid string", arguments: ["[1]", #"{"a":1}"#, "true", "false"])
    func noText(value: String) async throws {
        let problem = LineError(line: 2, message: "code: The value is not a text.")
        await #expect(throws: ImportError.lines([problem], more: 0)) { try await check(value) }
    }

    @Test("A number is accepted as a string", arguments: ["7", "-7.50", #""true""#])
    func text(value: String) async throws {
        #expect(try await check(value).inserted == ["Site": 2])
    }

    private func check(_ value: String) async throws -> ImportReport {
        let source = try source("{\"code\":\"a\"}\n{\"code\":\(value)}\n")
        return try await RecordImport(model: Site.schema, schema: try .snapshots()).check(
            source, lookUp: NothingStored())
    }
}
