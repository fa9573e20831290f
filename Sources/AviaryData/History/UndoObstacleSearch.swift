import AviaryDomain
import Foundation

/// Looks for what stands against taking changes back: whatever is newer than they are.
struct UndoObstacleSearch {
    /// A list that a person reads; whoever needs more has to look at the history.
    private static let limit = 100
    /// The number of later changes of a record that are read. When there are more, the first of them prevent the undo
    /// in any case.
    static let laterLimit = 1000

    let changes: [RecordChange]
    let net: [RecordKey: NetChange]
    /// The number behind the last of the changes.
    private let end: Int64
    let tables: ModelTables
    let connection: any Connection

    init(changes: [RecordChange], end: Int64, tables: ModelTables, connection: any Connection) {
        self.changes = changes
        net = NetChange.all(of: changes)
        self.end = end
        self.tables = tables
        self.connection = connection
    }

    func found() throws -> [UndoObstacle] {
        var obstacles: [UndoObstacle] = []
        var seen: Set<RecordKey> = []
        for change in changes where obstacles.count < Self.limit {
            guard let table = tables[change.model] else {
                obstacles.append(.unknownModel(change.model))
                continue
            }
            obstacles += try takenValues(change, of: table)
            obstacles += secrets(change, of: table)
            let key = RecordKey(model: change.model, id: change.record)
            guard seen.insert(key).inserted, let net = net[key] else { continue }
            obstacles += try newerState(net, of: table)
            if net.existedBefore { obstacles += try missingReferences(net, of: table) }
            if !net.existedBefore, net.existsAfter { obstacles += try referrers(net, of: table) }
        }
        if obstacles.count < Self.limit { obstacles += try linkObstacles() }
        return Array(obstacles.prefix(Self.limit))
    }

    /// The record is not as the commit left it.
    private func newerState(_ net: NetChange, of table: ModelTable) throws -> [UndoObstacle] {
        let current = try table.record(net.key.id.canonicalText, in: connection)
        guard let current else {
            return net.existsAfter ? [.deletedSince(model: net.key.model, id: net.key.id)] : []
        }
        guard net.existsAfter else { return [.insertedSince(model: net.key.model, id: net.key.id)] }
        let later = try laterChanges(of: net.key)
        return table.model.storedProperties.enumerated().compactMap { index, property in
            let commit = later.first { $0.fields[property.name] != nil }?.commit
            let field = net.fields[property.name]
            // A record that began is taken back whole. The value tells a change too, where no history was kept for a while.
            let matters = field != nil || !net.existedBefore
            let differs =
                field.map { !$0.isSecret && (index >= current.values.count || current.values[index] != $0.after) }
                ?? false
            guard matters, commit != nil || differs else { return nil }
            return .changedSince(model: net.key.model, id: net.key.id, property: property.name, commit: commit)
        }
    }

    /// Returns the obstacles of secret values, which the history does not have.
    ///
    /// A record that is restored can do without such a value where none is required.
    private func secrets(_ change: RecordChange, of table: ModelTable) -> [UndoObstacle] {
        table.model.storedProperties.compactMap { property in
            guard change.fields[property.name]?.isSecret == true else { return nil }
            guard change.kind == .update || change.kind == .delete && property.isRequired else { return nil }
            return .secret(model: change.model, id: change.record, property: property.name)
        }
    }

    /// Returns the changes of the record by newer commits, without the undone ones.
    ///
    /// A commit and its undo leave nothing behind, so several steps can be undone one after the other.
    func laterChanges(of key: RecordKey) throws -> [RecordChange] {
        let later = try ChangeTable.changes(of: key.id, key.model, from: end, limit: Self.laterLimit, in: connection)
        guard !later.isEmpty else { return [] }
        let commits = Set(later.map(\.commit))
        var takenBack: Set<Int64> = []
        // From the newest on: an undo that was itself taken back takes nothing back.
        for commit in commits.sorted(by: >) where !takenBack.contains(commit) {
            guard let undone = try CommitTable.summary(of: commit, in: connection)?.undoes, commits.contains(undone)
            else { continue }
            takenBack.formUnion([commit, undone])
        }
        return later.filter { !takenBack.contains($0.commit) }
    }

    /// Unique values that another record has meanwhile. One that the commit gave to that record itself is given back
    /// first.
    private func takenValues(_ change: RecordChange, of table: ModelTable) throws -> [UndoObstacle] {
        guard change.kind != .insert else { return [] }
        var obstacles: [UndoObstacle] = []
        for (property, column) in zip(table.model.storedProperties, table.columns) where property.isUnique {
            guard let value = change.fields[property.name]?.before, !value.isNull else { continue }
            let holder =
                try connection.firstRow("SELECT id FROM \(table.name) WHERE \(column) = ?", [value]) { $0.uuid(0) }
                ?? nil
            guard let holder, holder != change.record else { continue }
            if isTakenBack(property.name, of: RecordKey(model: change.model, id: holder)) { continue }
            obstacles.append(.valueTaken(model: change.model, id: change.record, property: property.name, by: holder))
        }
        return obstacles
    }

    /// References to what is gone, and does not come back with this.
    private func missingReferences(_ net: NetChange, of table: ModelTable) throws -> [UndoObstacle] {
        try table.references.compactMap { reference in
            guard case .text(let text) = net.fields[reference.property]?.before, let target = tables[reference.target],
                let id = UUID(canonicalText: text)
            else { return nil }
            if self.net[RecordKey(model: reference.target, id: id)]?.existedBefore == true { return nil }
            let isThere = try connection.firstRow(target.find, [.text(text)]) { _ in true } ?? false
            return isThere ? nil : .missingReference(model: net.key.model, id: net.key.id, property: reference.property)
        }
    }

    /// Records that refer to one that goes, but for those that this commit let refer to it.
    private func referrers(_ net: NetChange, of table: ModelTable) throws -> [UndoObstacle] {
        try table.foreignKeys.compactMap { key in
            guard let holder = tables[key.model] else { return nil }
            let ids = try connection.rows(
                "SELECT id FROM \(holder.name) WHERE \(connection.dialect.name(key.property)) = ? LIMIT ?",
                [.text(net.key.id.canonicalText), .integer(Int64(changes.count + Self.laterLimit))]
            ) { $0.uuid(0) }
            let others = ids.count { id in
                id.map { !isTakenBack(key.property, of: RecordKey(model: key.model, id: $0)) } ?? true
            }
            return others == 0 ? nil : .referenced(model: key.target, by: key.model, count: others)
        }
    }

    /// Returns a Boolean value that indicates whether the undo removes the record's current value. Where the value is
    /// no longer that of the commit, this is an obstacle already.
    private func isTakenBack(_ property: String, of key: RecordKey) -> Bool {
        net[key]?.fields[property] != nil
    }
}
