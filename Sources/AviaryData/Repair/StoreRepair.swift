package import AviaryDomain
package import Foundation

/// A repair that rebuilds a store's file from its readable parts.
///
/// It copies the rows and rebuilds everything that is derived from them, such as indexes, text indexes, links in
/// both directions and totals.
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

    /// Repairs the store. The caller must hold the directory's lock: no other process may have the store open.
    ///
    /// - Parameter isDry: Indicates whether the function only reports what it would do.
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``. The file is unchanged in this case.
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
        // The index of entries by record stays, because the copy looks up the history of records.
        let indexes = try target.indexes().filter { $0.name != "aviary_change_record" }
        for index in indexes { try target.run("DROP INDEX \(target.dialect.name(index.name))") }
        _ = try target.beginWriting()
        try RepairCopy(from: source, to: target, tables: tables, at: time).copyAll(&report)
        try target.commit()
        for index in indexes { try target.run(index.creation) }
        try StoreLayout(tables: tables, sortIndexes: sortIndexes).install(in: target)
        return report
    }

    /// Checks that the file has the program's models. A damaged description of the models must not be taken for
    /// that of another program.
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

    /// Replaces the store's file.
    ///
    /// - Returns: The path of the original file.
    private func replace(by path: String, at time: Date) throws -> String {
        // The log belongs to the old file. After it is truncated, the new file can replace the old one in one step.
        let writer = try engine.openWriter(directory)
        writer.file?.disableAutoCheckpoint()
        do {
            try writer.file?.truncateLog()
        } catch {
            writer.close()
            throw error
        }
        writer.close()
        let copy = directory.newPath(beginning: "before-repair-", at: time.rfc3339 ?? "", ending: ".sqlite")
        let original = directory.storeFilePath
        try AtomicFile.addHardLink(copy, to: original)
        // The name may be a link. A log of the file that had the name before is not that of the repaired file.
        StoreFileName.removeLogOfReplacedFile(of: directory.storePath)
        try AtomicFile.replace(directory.storePath, by: path)
        if original != directory.storePath { unlink(original) }
        for suffix in ["-wal", "-shm"] { unlink(original + suffix) }
        return copy
    }
}

/// The result of a repair, or of its dry run.
package struct RepairReport: Sendable, Hashable {
    /// The number of records that were read, by model.
    package fileprivate(set) var records: [String: Int] = [:]
    /// The records that could not be read and were recovered from the history, by model.
    package fileprivate(set) var recovered: [String: [UUID]] = [:]
    /// The lost records that an index still names, by model.
    package fileprivate(set) var lost: [String: [UUID]] = [:]
    /// The approximate number of lost records without a known id, by model.
    package fileprivate(set) var unnamed: [String: Int] = [:]
    /// Other losses, as sentences.
    package fileprivate(set) var notes: [String] = []
    /// The path of the original file; nil if nothing was changed.
    package fileprivate(set) var copy: String?

    /// Indicates whether no data was lost.
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
