import Foundation
import TestSupport
import Testing

/// Compiles models with the library as it was built, and reads the compiler's messages.
@Suite("The compiler names the next step for what SwiftData has and a record does not")
struct CompilerMessageTests {
    @Test("A model is not a value of another model", arguments: ["Shot", "Shot?"])
    func model(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "error: 'init(_:_:default:attributes:)' is unavailable: a record refers to a record of another model: declare the property as Reference<…>? with that model's name"
            ])
    }

    @Test("A list of models is a relation", arguments: ["[Shot]", "[Shot]?", "Set<Shot>", "Set<Shot>?"])
    func models(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "error: 'init(_:_:default:attributes:)' is unavailable: a list of models is a relation: declare the property as Related<…> with @Relationship(inverse:)"
            ])
    }

    @Test("An enum with raw values is a choice", arguments: ["Mount", "Mount?", "[Mount]", "Grade"])
    func choice(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "error: 'init(_:_:default:attributes:)' is unavailable: the enum of this property is not a Choice: declare it as 'enum …: String, Choice'"
            ])
    }

    @Test("An enum that is only Codable would be stored as JSON, which is a warning", arguments: ["Coded", "Coded?"])
    func codable(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "warning: 'init(_:_:default:attributes:)' is deprecated: the store keeps this property as JSON, which editors cannot choose: declare an enum as 'enum …: String, Choice', or conform a struct to StoredValue"
            ])
    }

    @Test("The id of another record is a reference, which is a warning", arguments: ["RecordID<Shot>", "Shot.ID?"])
    func identity(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "warning: 'init(_:_:default:attributes:)' is deprecated: a record refers to another by a Reference<…>, not by its id"
            ])
    }

    @Test("Any other type has three ways out", arguments: ["Plain", "Plain?", "[Plain]", "Range<Substring>"])
    func other(type: String) async throws {
        #expect(
            try await messages(about: type) == [
                "error: 'init(_:_:default:attributes:)' is unavailable: this type cannot be stored: declare an enum as 'enum …: String, Choice', mark a struct @Embedded, or mark the property @Transient"
            ])
    }

    @Test(
        "A type that a record stores has no message",
        arguments: [
            "String", "Int?", "[String]", "Fine", "Fine?", "[Fine]", "Set<Fine>", "Flags", "Flags?", "Part", "Part?",
            "[Part]", "[String: Int]", "Reference<Shot>", "Reference<Shot>?",
        ])
    func stored(type: String) async throws {
        #expect(try await messages(about: type) == [])
    }

    @Test(
        "A property of a referenced record is not one of the reference",
        arguments: ["shot.album.name", "shot.next?.name", "{ (s: Shot) in s.album.name == shot.album.name }"])
    func referenced(expression: String) async throws {
        let found = Set(try await messages(about: expression))
        #expect(
            found == [
                "error: 'subscript(dynamicMember:)' is unavailable: a reference holds the id of a record, not the record: read it with find(reference.id) or fetchResults, and state conditions on it with FetchDescriptor.related"
            ])
    }

    @Test(
        "A relation has no records to count or to enumerate", arguments: ["album.shots.isEmpty", "album.shots.count"])
    func related(expression: String) async throws {
        let found = Set(try await messages(about: expression))
        #expect(
            found == [
                "error: conformance of 'Related<M>' to 'Collection' is unavailable: a relation holds no records: read them with Repository.related(_:to:), and state conditions on them with FetchDescriptor.related"
            ])
    }

    @Test("A record is not added to a relation")
    func appended() async throws {
        let errors = try await messages(about: "album.shots.append(shot)").filter { $0.hasPrefix("error") }
        #expect(
            errors == [
                "error: 'append' is unavailable: a relation holds no records: set the reference of the other record, or link many-to-many with Repository.link(_:_:with:)"
            ])
    }

    @Test(
        "The id of a reference has no message",
        arguments: ["shot.album.id", "shot.next?.id", "shot.album == shot.album"])
    func identified(expression: String) async throws {
        #expect(try await messages(about: expression) == [])
    }

    private func messages(about type: String) async throws -> [String] {
        let all = try await Compiler.messages.value
        return try #require(all[type], "Add \(type) to the types that the compiler is asked about.")
    }
}

/// The compiler that built the tests. It is asked once about all types, because each start takes a second.
private enum Compiler {
    private static let types = [
        "Shot", "Shot?", "[Shot]", "[Shot]?", "Set<Shot>", "Set<Shot>?", "Mount", "Mount?", "[Mount]", "Grade", "Coded",
        "Coded?", "RecordID<Shot>", "Shot.ID?", "Plain", "Plain?", "[Plain]", "Range<Substring>", "String", "Int?",
        "[String]", "Fine", "Fine?", "[Fine]", "Set<Fine>", "Flags", "Flags?", "Part", "Part?", "[Part]",
        "[String: Int]", "Reference<Shot>", "Reference<Shot>?",
    ]

    /// Expressions with a record `shot` and a record `album`.
    private static let expressions = [
        "shot.album.name", "shot.next?.name", "{ (s: Shot) in s.album.name == shot.album.name }",
        "album.shots.isEmpty", "album.shots.count", "album.shots.append(shot)", "shot.album.id", "shot.next?.id",
        "shot.album == shot.album",
    ]

    /// The errors and warnings about a model with a property of each type, without their positions.
    static let messages = Task { try await compile() }

    private static func compile() async throws -> [String: [String]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what stays in the temporary folder harms nobody
        let file = folder.appending(path: "Source.swift")
        let models = types.enumerated().map { model($1, number: $0) }
        let functions = expressions.enumerated().map {
            "func use\($0)(_ shot: Shot, _ album: inout Album) { _ = \($1) }"
        }
        let subjects = types + expressions
        try Data((models + functions + [declarations]).joined(separator: "\n").utf8).write(to: file)
        let built = try #require(Bundle.main.executableURL).resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-module-cache-path",
            built.appending(path: "ModuleCache").path, "-I", built.appending(path: "Modules").path,
            "-Xcc", "-fmodule-map-file=\(built.appending(path: "CSupport.build/module.modulemap").path)", file.path,
        ]
        let output = try process.runAloneWithOutput(includingErrors: true)
        let text = await onThread {
            let data = output.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
        var found = Dictionary(uniqueKeysWithValues: subjects.map { ($0, [String]()) })
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(
                of: /\S+Source\.swift:([0-9]+):[0-9]+: ((?:error|warning): .*?)(?: \[#[A-Za-z]+\])?/)
            {
                // A message about the declarations is one about every type, so that no test passes.
                let number = try #require(Int(match.output.1)) - 1
                for type in subjects.indices.contains(number) ? [subjects[number]] : subjects {
                    found[type]?.append(String(match.output.2))
                }
            } else if line.hasPrefix("<unknown>") {
                for type in subjects { found[type]?.append(String(line)) }
            }
        }
        return found
    }

    /// Returns a model in one line, by whose number a message is recognized.
    private static func model(_ type: String, number: Int) -> String {
        let name = "Scope\(number)"
        return (number == 0 ? "import AviaryDomain; " : "") + "struct \(name): Model { var id = RecordID<\(name)>(); "
            + "var thing: \(type); "
            + "static let schema = ModelSchema(\(name).self, [PropertyDefinition(\\.thing, \"thing\")]); "
            + "init(from reader: inout FieldReader) throws { thing = try reader.next(\"thing\") }; "
            + "func bind(to writer: inout FieldWriter) { writer.bind(thing) } }"
    }

    private static let declarations = """
        enum Mount: String { case altazimuth }
        enum Grade: Int { case low }
        enum Plain { case one }
        enum Coded: String, Codable { case one }
        enum Fine: String, Choice { case one }
        struct Flags: OptionSet, Codable { let rawValue: Int }
        struct Part: Codable { var size = 1 }
        struct Album: Model, Hashable {
            var id = RecordID<Album>()
            var name = ""
            var shots = Related<Shot>()
            static let schema = ModelSchema(Album.self, [])
            init(from reader: inout FieldReader) throws {}
            func bind(to writer: inout FieldWriter) {}
        }
        struct Shot: Model, Hashable {
            var id = RecordID<Shot>()
            var name = ""
            var album = Reference<Album>(id: RecordID())
            var next: Reference<Shot>?
            static let schema = ModelSchema(Shot.self, [])
            init(from reader: inout FieldReader) throws {}
            func bind(to writer: inout FieldWriter) {}
        }
        """
}
