import AviaryDomain
import Foundation

/// A finished store file that is about to replace the live one.
struct StoreReplacement {
    let connection: any WriterConnection
    let position: StorePosition
    /// The live store's clock with the marks of the file's commits.
    let clock: StoreClock

    /// Gives the file the models, indexes, receipts and next commit number that the live store needs.
    ///
    /// - Throws: ``StoreOpenError`` if the file has other models, ``EngineError``.
    init(
        at path: String, for live: any Connection, engine: any StoreEngine, tables: ModelTables, current: StorePosition,
        history: HistoryPolicy, clock: StoreClock, time: Date
    ) throws {
        let connection = try engine.openReplacement(at: path)
        self.connection = connection
        try StoreLayout.checkIdentity(of: connection)
        try StoreLayout(tables: tables, sortIndexes: try SortIndex.all(in: live)).install(in: connection)
        guard let restored = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        // The number is above both, so that a number that was assigned once is never assigned again.
        var next = StorePosition(
            commit: max(current.commit, restored.commit), nextChange: max(current.nextChange, restored.nextChange),
            historySize: restored.historySize
        )
        var renumbered = clock
        try connection.transaction {
            let last = try Brought.lastCommit(of: live, in: connection)
            try Self.copyReceipts(from: live, to: connection, after: last, at: clock, &next)
            next.commit += 1
            try Self.renewAccounts(tables, from: live, in: connection, at: time, history, &next)
            try Self.copyRecords(tables, from: live, to: connection, eventsAfter: last)
            try Brought.forget(in: connection)
            try PreservedSecrets.copyRecords(tables, from: live, to: connection)
            try HistoryGaps.note(excluded: history.excludedModels, at: next.commit, in: connection)
            try next.write(to: connection)
            // The commits of the snapshot may have the same numbers as other commits of the live store.
            renumbered = try clock.remarked(byCommitsIn: connection)
            try renumbered.write(to: connection)
            try MetaTable.set(.restoreEpoch, to: .text(UUID().canonicalText), in: connection)
            try UncleanShutdownFlag.set(in: connection)
        }
        position = next
        self.clock = renumbered
    }

    /// Brings along the receipts and events that the live store has now, while it goes on.
    ///
    /// Later commits are brought along when its contents are replaced.
    static func bringAlong(
        from live: any Connection, toStoreAt path: String, engine: any StoreEngine, tables: ModelTables, at time: Date
    ) throws {
        let connection = try engine.openReplacement(at: path)
        defer { connection.close() }
        try live.snapshot {
            guard let current = try StorePosition.read(from: live),
                var next = try StorePosition.read(from: connection)
            else { throw StoreOpenError.notAStore(path: path) }
            next.commit = max(current.commit, next.commit)
            let clock = try StoreClock.read(from: live, at: time, uptime: .now)
            try connection.transaction {
                try copyReceipts(from: live, to: connection, after: 0, at: clock, &next)
                for table in tables.all where table.model.name == AuditEvent.modelName {
                    try copyRecords(of: table, from: live, to: connection, after: nil)
                }
                try next.write(to: connection)
                try Brought.note(current, of: live, in: connection)
            }
        }
    }

    /// The receipts and events that a finished store has brought along before the store that it replaces was held.
    enum Brought {
        fileprivate static func note(_ position: StorePosition, of live: any Connection, in connection: any Connection)
            throws
        {
            let epoch = try MetaTable.text(.restoreEpoch, in: live) ?? ""
            try MetaTable.set(.brought, to: .text("\(position.commit) \(epoch)"), in: connection)
        }

        /// Returns the last commit that was brought along; 0 if there is none or another restore has replaced that store.
        fileprivate static func lastCommit(of live: any Connection, in connection: any Connection) throws -> Int64 {
            let parts = try MetaTable.text(.brought, in: connection)?.split(separator: " ", maxSplits: 1) ?? []
            guard parts.count == 2, try MetaTable.text(.restoreEpoch, in: live) == String(parts[1]) else { return 0 }
            return Int64(parts[0]) ?? 0
        }

        fileprivate static func forget(in connection: any Connection) throws {
            try MetaTable.set(.brought, to: .null, in: connection)
        }
    }

    /// Makes the file the first store of a directory, which has no store to take data from.
    ///
    /// - Returns: The number of the store's last commit.
    static func complete(storeAt path: String, engine: any StoreEngine) throws -> Int64 {
        let connection = try engine.openReplacement(at: path)
        defer { connection.close() }
        guard var position = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: path)
        }
        position.commit += 1
        try connection.transaction {
            try position.write(to: connection)
            try PreservedSecrets.forget(in: connection)
        }
        return position.commit
    }

    // A form that was saved before the restore and is sent again must not be stored twice. The live store's history
    // ends here: it does not describe how the restored records came about.
    private static func copyReceipts(
        from live: any Connection, to connection: any Connection, after last: Int64, at clock: StoreClock,
        _ position: inout StorePosition
    ) throws {
        try copyCommits(
            from: live, to: connection, after: max(last, clock.lastCommit(before: CommitTable.receiptLifetime)),
            &position)
        let columns = DiscardedDraftTable.columns
        let row = try live.statement("SELECT \(columns.joined(separator: ", ")) FROM aviary_discard WHERE time > ?")
        defer { row.reset() }
        try row.bind([
            .integer(clock.runningDate.addingTimeInterval(-CommitTable.receiptLifetime).milliseconds)
        ])
        let insert = try connection.statement(
            connection.dialect.replacement(into: "aviary_discard", columns, key: "id"))
        while try row.step() {
            defer { insert.reset() }
            try insert.bind(row.values(columns.indices))
            _ = try insert.step()
        }
    }

    /// Copies the live store's commits without their entries.
    ///
    /// The snapshot's own commits stay, with their entries if it has any. A commit of the live store gets a new
    /// number if the snapshot, then of another store, has another commit with its number.
    private static func copyCommits(
        from live: any Connection, to connection: any Connection, after last: Int64, _ position: inout StorePosition
    ) throws {
        let row = try live.statement(
            "SELECT \(CommitTable.columns.joined(separator: ", ")) FROM aviary_commit WHERE number > ? ORDER BY number")
        defer { row.reset() }
        try row.bind([.integer(last)])
        let insert = try connection.statement(SnapshotLogRow.Table.commit.insert)
        while try row.step() {
            guard let changeSet = row.text(1), try CommitTable.receipt(changeSet, in: connection) == nil else {
                continue
            }
            var commit = CommitRow(row.values(CommitTable.columns.indices))
            if try CommitTable.changes(of: row.integer(0), in: connection) != nil {
                position.commit += 1
                commit.number = position.commit
            }
            commit.forgetEntries()
            defer { insert.reset() }
            try insert.bind(commit.values)
            _ = try insert.step()
        }
    }
}

/// The columns of a commit, which can be changed before they are written.
private struct CommitRow {
    private(set) var values: [FieldValue]

    init(_ values: [FieldValue]) {
        self.values = values
    }

    var number: Int64 {
        get { integer("number") }
        set { set("number", newValue) }
    }

    /// Counts the commit's entries as unrecorded, so that no entry of the restored history is attributed to it.
    mutating func forgetEntries() {
        set("unrecorded", integer("unrecorded") + integer("changes"))
        set("first_change", 0)
        set("changes", 0)
    }

    private func integer(_ column: String) -> Int64 {
        guard let index = CommitTable.columns.firstIndex(of: column), case .integer(let number) = values[index] else {
            return 0
        }
        return number
    }

    private mutating func set(_ column: String, _ number: Int64) {
        if let index = CommitTable.columns.firstIndex(of: column) { values[index] = .integer(number) }
    }
}

// The models that every application has. A restore must not lock everybody out, end the record of who did what, or
// revive a session that was ended.
extension StoreReplacement {
    /// The author in the history of the changes that a restore makes by itself.
    static let author = "restore"

    /// Copies the live store's built-in records of those models of which the snapshot has none.
    ///
    /// Audit events are always copied unless the snapshot contains them: a restore removes no event.
    static func copyRecords(
        _ tables: ModelTables, from live: any Connection, to connection: any WriterConnection, eventsAfter last: Int64
    ) throws {
        for table in tables.all where table.model.isBuiltIn {
            let isOfEvents = table.model.name == AuditEvent.modelName
            guard try isOfEvents || RecordCountTable.count(table.model.name, in: connection) == 0 else { continue }
            try copyRecords(of: table, from: live, to: connection, after: isOfEvents && last > 0 ? last : nil)
        }
    }

    /// Copies the records of a table.
    ///
    /// - Parameter last: The commit after which the records were saved that are copied; nil to copy all.
    private static func copyRecords(
        of table: ModelTable, from live: any Connection, to connection: any WriterConnection, after last: Int64?
    ) throws {
        let restored = try RecordCountTable.count(table.model.name, in: connection)
        let insert = try connection.statement(table.insert), remove = try connection.statement(table.remove)
        let condition = last == nil ? "" : " WHERE aviary_version > ?"
        let row = try live.statement("SELECT \(table.selection) FROM \(table.name)\(condition)")
        defer { row.reset() }
        if let last { try row.bind([.integer(last)]) }
        var count = 0
        while try row.step() {
            defer { insert.reset() }
            // The live store's version of the event replaces the restored one.
            if restored > 0 { count -= try Self.remove(row.value(0), of: table, by: remove, in: connection) }
            try insert.bind(row.values(0..<table.columns.count + 2))
            _ = try insert.step()
            count += 1
        }
        try RecordCountTable.add(count, to: table.model.name, in: connection)
    }

    /// Removes a record if it exists.
    ///
    /// - Returns: The number of removed records, 0 or 1.
    private static func remove(
        _ id: FieldValue, of table: ModelTable, by statement: any PreparedStatement, in connection: any Connection
    ) throws -> Int {
        guard try connection.firstRow(table.find, [id], read: { _ in true }) != nil else { return 0 }
        defer { statement.reset() }
        try statement.bind([id])
        _ = try statement.step()
        return 1
    }

    /// Keeps accounts that the live store shuts out shut out.
    ///
    /// The changes belong to the commit of the restore, whose number becomes the version of the accounts that
    /// change.
    static func renewAccounts(
        _ tables: ModelTables, from live: any Connection, in connection: any WriterConnection, at time: Date,
        _ policy: HistoryPolicy, _ position: inout StorePosition
    ) throws {
        var history = HistoryWriter(
            connection: connection, commit: position.commit, nextChange: position.nextChange,
            excludedModels: policy.excludedModels)
        guard let table = tables[Account.modelName] else { return }
        func accounts(_ connection: any Connection) throws -> [Account] {
            try connection.rows("SELECT \(table.selection) FROM \(table.name)") { try Account(table.record($0)) }
        }
        for case (let restored, let current?) in Account.pairs(
            restored: try accounts(connection), current: try accounts(live))
        {
            let before = restored.fieldValues
            let values = restored.restored(inPlaceOf: current).fieldValues
            let changed = table.model.storedProperties.enumerated().compactMap { index, property in
                values[property.name].flatMap { $0 == before[property.name] ? nil : (index: index, value: $0) }
            }
            guard !changed.isEmpty else { continue }
            let parameters = [.integer(position.commit)] + changed.map(\.value) + [restored.id.uuid.fieldValue]
            try connection.run(table.update(columns: changed.map(\.index)), parameters)
            let changes = changed.map { index, value in
                (
                    index: index,
                    change: FieldChange(
                        before: before[table.model.storedProperties[index].name] ?? .null, after: value)
                )
            }
            try history.updated(restored.id.uuid.canonicalText, changes, in: table)
        }
        guard history.nextChange > position.nextChange else { return }
        try CommitTable.add(
            position.commit, changeSet: UUID.version7().canonicalText, fingerprint: [], by: Self.author, undoes: nil,
            at: time, changes: position.nextChange..<history.nextChange, unrecorded: history.unrecorded, in: connection)
        position.nextChange = history.nextChange
        position.historySize += history.size
    }
}

/// The secrets that a snapshot does not contain.
///
/// Records that the replaced store has, too, keep their secrets. Other records have none.
///
/// The secrets are copied during the replacement, while the live store commits nothing. Earlier commits of the live
/// store are therefore included, and all secrets are of the same moment.
enum PreservedSecrets {
    /// Notes in a finished store which properties need the secrets of the store that it is going to replace.
    static func note(_ properties: Set<String>, in connection: any Connection) throws {
        guard !properties.isEmpty else { return }
        try MetaTable.set(.withheldSecrets, to: .text(properties.sorted().joined(separator: "\n")), in: connection)
    }

    static func copyRecords(_ tables: ModelTables, from live: any Connection, to connection: any WriterConnection)
        throws
    {
        guard case .text(let names) = try MetaTable.value(.withheldSecrets, in: connection) else { return }
        let withheld = Set(names.split(separator: "\n").map(String.init))
        for table in tables.all {
            let indexes = table.model.storedProperties.indices.filter { withheld.contains(table.secretName(at: $0)) }
            if !indexes.isEmpty { try copyRecords(table.columns(at: indexes), of: table, from: live, to: connection) }
        }
        try forget(in: connection)
    }

    /// Clears the list of withheld secrets when no property waits for them any more.
    static func forget(in connection: any Connection) throws(EngineError) {
        try MetaTable.set(.withheldSecrets, to: .null, in: connection)
    }

    private static func copyRecords(
        _ columns: [String], of table: ModelTable, from live: any Connection, to connection: any WriterConnection
    ) throws {
        let row = try live.statement("SELECT \((columns + ["id"]).joined(separator: ", ")) FROM \(table.name)")
        defer { row.reset() }
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let update = try connection.statement("UPDATE \(table.name) SET \(assignments) WHERE id = ?")
        while try row.step() {
            defer { update.reset() }
            try update.bind(row.values(0..<columns.count + 1))
            _ = try update.step()
        }
    }
}

extension ModelTable {
    /// Returns the name of a property for the list of secrets. No model or property name contains a dot.
    func secretName(at index: Int) -> String { "\(model.name).\(model.storedProperties[index].name)" }

    fileprivate func columns(at indexes: [Int]) -> [String] { indexes.map { columns[$0] } }
}
