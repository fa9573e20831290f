import Testing

/// A comparison of the files in a folder with a list in code, which finds missing and obsolete entries.
struct FileListing {
    static func missing(_ files: [String], from text: String, written: (String) -> String) -> [String] {
        files.filter { !text.contains(written($0)) }
    }

    /// Returns the entries of the list without a file in the folder.
    static func vanished(_ named: [String], from files: [String]) -> [String] {
        named.filter { !files.contains($0) }
    }
}

@Suite("Public files")
struct PublicFilesTests {
    private static let folders = ["css", "js", "icons"]

    @Test("The package embeds every file", arguments: folders)
    func embedded(folder: String) throws {
        let files = try SourceTree.files(in: "Public/\(folder)")
        #expect(!files.isEmpty)
        let package = try SourceTree.text(of: "Package.swift")
        #expect(FileListing.missing(files, from: package) { #".embedInCode("\#(folder)/\#($0)")"# } == [])
    }

    @Test("Every file has an address", arguments: folders)
    func served(folder: String) throws {
        let files = try SourceTree.files(in: "Public/\(folder)")
        let listed = try SourceTree.text(of: "Public/PublicFiles.swift")
        #expect(FileListing.missing(files, from: listed) { #"name: "\#($0)""# } == [])
    }

    @Test("Every address has a file")
    func vanished() throws {
        let files = try Self.folders.flatMap { try SourceTree.files(in: "Public/\($0)") }
        let listed = try SourceTree.text(of: "Public/PublicFiles.swift")
        let named = listed.matches(of: /name: "([^"]+)"/).map { String($0.1) }
        #expect(FileListing.vanished(named, from: files) == [])
    }

    @Test("No template literal in a script spans several lines, so that minification is safe")
    func lines() throws {
        let scripts = try SourceTree.files(in: "Public/js")
        #expect(!scripts.isEmpty)
        for script in scripts {
            let lines = try SourceTree.text(of: "Public/js/\(script)").split(separator: "\n")
            #expect(lines.filter { !$0.count(where: { $0 == "`" }).isMultiple(of: 2) } == [], "\(script)")
        }
    }

    @Test("The comparison finds missing and obsolete entries")
    func planted() {
        let missing = FileListing.missing(["a.js", "b.js"], from: #"name: "a.js""#) { #"name: "\#($0)""# }
        #expect(missing == ["b.js"])
        #expect(FileListing.vanished(["a.js", "c.js"], from: ["a.js"]) == ["c.js"])
    }
}
