import TestSupport
import Testing

@Suite("Separation of the storage engine")
struct EngineTests {
    @Test("No source file outside the folder of the engine uses SQLite")
    func sources() async throws {
        let files = try SourceTree.swiftFiles(below: "Sources")
        #expect(files.contains { $0.path == "Sources/AviaryData/SQLite/SQLiteEngine.swift" })
        let violations = await onThread { files.flatMap(EngineRules.violations) + files.flatMap(EngineRules.types) }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("Only a few files choose the engine")
    func door() throws {
        let files = try SourceTree.swiftFiles(below: "Sources").filter { $0.text.contains("StoreEngines.standard") }
        #expect(
            files.map(\.name) == [
                "StoreLocation.swift", "SQLSnapshotLibrary.swift", "SQLSnapshotRepository.swift", "DataCheck.swift",
                "DerivedMigration.swift", "ReaderPool.swift",
                "StoreRepair.swift", "Store.swift", "SQLExportRepository.swift",
            ])
    }

    @Test(
        "The scanner finds code that belongs to the engine",
        arguments: [
            "import CSQLite", "    package import CSQLite", "sqlite3_step(handle)", "if code == SQLITE_BUSY {}",
            "try run(\"PRAGMA user_version\")", "try run(\"pragma user_version\")", "\"SELECT rowid FROM t\"",
            "\"CREATE TABLE t (a TEXT) WITHOUT ROWID\"", "\"ORDER BY name COLLATE NOCASE\"", "\"FROM json_each(?)\"",
            "\"SELECT name FROM sqlite_schema\"", "try run(\"VACUUM INTO ?\", path)",
            "run(\"BEGIN IMMEDIATE\")", "\"INSERT OR REPLACE INTO t\"", "\"a CROSS JOIN b\"",
            "let x = 1; aviary_bind_text(s, 1, b, 2)",
        ])
    func planted(text: String) {
        #expect(EngineRules.violations(in: SourceFile(path: "Sources/AviaryData/Store/A.swift", text: text)).count == 1)
        #expect(EngineRules.violations(in: SourceFile(path: "Sources/AviaryAdmin/A.swift", text: text)).count == 1)
        #expect(EngineRules.violations(in: SourceFile(path: "Sources/AviaryData/SQLite/A.swift", text: text)).isEmpty)
    }

    @Test(
        "The scanner finds types of the engine, but not in comments or text",
        arguments: [
            ("let connection: SQLiteConnection", 1), ("engine = SQLiteEngine()", 1), ("row as? SQLiteStatement", 1),
            ("// SQLiteConnection does this.", 0), ("\"SQLite's \\(name) is off\"", 0),
            ("let engine: any StoreEngine", 0),
            ("/// Never with a PRAGMA or a rowid.", 0),
        ])
    func types(text: String, count: Int) {
        let file = SourceFile(path: "Sources/AviaryData/Store/A.swift", text: text)
        #expect(EngineRules.types(in: file).count == count)
        #expect(EngineRules.violations(in: file).isEmpty)
    }
}
