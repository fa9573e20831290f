package import AviaryDomain
package import Foundation

/// Builds a store's file anew from what can be read of it: rows as they are, and everything that follows from them, such as indexes,
/// the words of texts, links in both directions and totals.
package struct StoreRepair {
    private let directory: DataDirectory
    private let tables: ModelTables
    private let sortIndexes: Set<SortIndex>
    private let engine: any StoreEngine

    package init(
        of directory: DataDirectory, schema: Schema, sortIndexes: [SortIndex],
        engine: any StoreEngine = StoreEngines.standard
    ) {
        self.directory = directory
        self.engine = engine
        self.sortIndexes = Set(sortIndexes)
        tables = ModelTables(schema, engine.dialect)
    }

    /// To be called by whoever holds the directory's lock: nobody else may have the store open.
    ///
    /// - Parameter isDry: Only tells what would be done.
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``; then the file is as it was.
    package func run(isDry: Bool, at time: Date) throws -> RepairReport {
        guard DataDirectory.hasStore(at: directory.path) else {
            throw StoreOpenError.missing(path: directory.storePath)
        }
        try directory.createSnapshotsDirectory()
        let working = try WorkingDirectory(in: directory.snapshotsPath)
        defer { withExtendedLifetime(working) {} }
        let path = working.path + "/store.sqlite"
        var report = try build(at: path, time)
        guard !isDry else { return report }
        report.kept(at: try replace(by: path, at: time))
        return report
    }

    private func build(at path: String, _ time: Date) throws -> RepairReport {
        let source = try engine.openReader(directory)
        defer { source.close() }
        try StoreLayout.checkIdentity(of: source)
        var report = RepairReport()
        try checkModels(of: source, &report)
        let target = try engine.createStore(at: path)
        defer { target.close() }
        try StoreLayout(tables: tables, sortIndexes: []).install(in: target)
        // All but the one by which the history of a record is looked up on the way.
        let indexes = try target.indexes().filter { $0.name != "aviary_change_record" }
        for index in indexes { try target.run("DROP INDEX \(target.dialect.name(index.name))") }
        try target.run(target.dialect.beginWriting)
        try RepairCopy(from: source, to: target, tables: tables, at: time).copyAll(&report)
        try target.run("COMMIT")
        for index in indexes { try target.run(index.creation) }
        try StoreLayout(tables: tables, sortIndexes: sortIndexes).install(in: target)
        return report
    }

    /// A description of the models that is damaged must not be taken for that of another program.
    private func checkModels(of source: any Connection, _ report: inout RepairReport) throws {
        do {
            try StoreLayout.check(tables.schema, againstFileOf: source)
        } catch {
            let isDamage = (error as? EngineError)?.kind == .damage
            guard isDamage || error is StoreOpenError else { throw error }
            guard try isDamage || StoreLayout.hasDamagedSchema(in: source) else { throw error }
            guard try StoreLayout.tables(of: source, fit: tables.schema) else {
                throw StoreOpenError.damagedSchemaOfOtherProgram(path: directory.storePath)
            }
            report.note("The models that the file was written with could not be read; this program's were taken.")
        }
    }

    /// - Returns: Where the file lies as it was.
    private func replace(by path: String, at time: Date) throws -> String {
        // What the log holds belongs to the old file. With an empty log beside it the new one can take its name in one step.
        let writer = try engine.openWriter(directory)
        writer.takeOverCheckpoints()
        do {
            try writer.truncateLog()
        } catch {
            writer.close()
            throw error
        }
        writer.close()
        let copy = directory.newPath(beginning: "before-repair-", at: time.rfc3339 ?? "", ending: ".sqlite")
        try NewFile.giveSecondName(copy, to: directory.storePath)
        try NewFile.replace(directory.storePath, by: path)
        for suffix in ["-wal", "-shm"] { unlink(directory.storePath + suffix) }
        return copy
    }
}

/// What a repair did, or would do.
package struct RepairReport: Sendable, Hashable {
    /// Records that were read, by their models.
    package fileprivate(set) var records: [String: Int] = [:]
    /// Records that could not be read and were made again from the history of changes.
    package fileprivate(set) var recovered: [String: [UUID]] = [:]
    /// Records that are gone, as far as an index still names them.
    package fileprivate(set) var lost: [String: [UUID]] = [:]
    /// Records that are gone and that nothing names, by their models: about so many.
    package fileprivate(set) var unnamed: [String: Int] = [:]
    /// What else could not be kept, in sentences.
    package fileprivate(set) var notes: [String] = []
    /// Where the store's file lies as it was; nil when nothing was changed.
    package fileprivate(set) var copy: String?

    /// Whether everything that was stored is there.
    package var isComplete: Bool { lost.isEmpty && unnamed.isEmpty && notes.isEmpty }
}

extension RepairReport {
    mutating func read(_ count: Int, of model: String) { records[model] = count }

    mutating func lose(_ ids: [UUID], of model: String) {
        if !ids.isEmpty { lost[model] = ids }
    }

    mutating func lose(unnamed count: Int, of model: String) {
        if count > 0 { unnamed[model] = count }
    }

    mutating func recover(_ ids: [UUID], of model: String) {
        if !ids.isEmpty { recovered[model] = ids }
    }

    mutating func note(_ sentence: String) { notes.append(sentence) }

    mutating func kept(at path: String) { copy = path }
}
