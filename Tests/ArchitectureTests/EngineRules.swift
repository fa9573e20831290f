import Foundation

/// The rules that keep code for one storage engine in the folder of that engine.
enum EngineRules {
    private static let folder = "Sources/AviaryData/SQLite/"
    /// The folders of all engines. Each has words that another forbids.
    private static let folders = [folder, "Sources/AviaryData/PostgreSQL/"]
    /// The file that refuses names of properties that an engine needs: a model is for every engine.
    private static let names = "Sources/AviaryDomain/Models/Schema.swift"
    /// The target of SQLite's header, which may contain anything.
    private static let target = "CSQLite"
    /// The symbols of the engine in Swift.
    private static let symbols = [
        "sqlite3_", "SQLITE_", "aviary_bind_", "aviary_persist_wal", "aviary_has_dangling_references",
    ]
    /// The keywords of the engine's SQL, which is case-insensitive.
    private static let words = [
        "pragma", "json_each", "rowid", "collate", "sqlite_schema", "sqlite_master", "vacuum into",
        "begin immediate", "insert or replace", "cross join",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        guard !folders.contains(where: file.path.hasPrefix), file.target != target, file.path != names,
            file.mentions(symbols + words + [target])
        else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            word(in: line).map { Violation(path: file.path, line: index + 1, reason: "\($0) belongs in \(folder)") }
        }
    }

    private static func word(in line: String) -> String? {
        let code = line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        if let symbol = symbols.first(where: code.contains) { return symbol }
        let lowercased = code.lowercased()
        return words.first(where: lowercased.contains) ?? (importsSQLite(code) ? "the import of CSQLite" : nil)
    }

    private static func importsSQLite(_ code: String) -> Bool {
        SourceFile(path: "", text: code).imports.contains { $0.module == target }
    }

    /// Returns the lines outside the folder that name a type of the engine. Other code uses
    /// `StoreEngines.standard`.
    static func types(in file: SourceFile) -> [Violation] {
        // The door names the engines.
        guard !folders.contains(where: file.path.hasPrefix), !file.path.hasSuffix("/Engine/StoreEngine.swift"),
            file.mentions(["SQLite", "PostgreSQL"])
        else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
            guard code.contains(/\b(?:SQLite|PostgreSQL)[A-Z]/) else { return nil }
            return Violation(path: file.path, line: index + 1, reason: "an engine's type is named outside of \(folder)")
        }
    }
}
