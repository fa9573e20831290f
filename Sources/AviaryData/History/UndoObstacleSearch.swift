import AviaryDomain
import Foundation

/// A search for obstacles to the undo of changes: anything that is newer than the changes.
struct UndoObstacleSearch {
    /// The maximum number of obstacles. A person reads the list; more details are in the history.
    private static let limit = 100
    /// The maximum number of later changes of a record that are read. If there are more, the first of them prevent
    /// the undo in any case.
    static let laterLimit = 1000

    let changes: [RecordChange]
    let net: [RecordKey: NetChange]
    /// The number after the last of the changes.
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

    /// Returns the obstacles of records that are no longer as the commit left them, and of their secret values.
    ///
    /// References and unique values are not checked.
    func newerStates() throws -> [UndoObstacle] {
        try changes.flatMap { change -> [UndoObstacle] in
            guard let table = tables[change.model], let net = net[RecordKey(model: change.model, id: change.record)]
            else { return [] }
            return try secrets(change, of: table) + newerState(net, of: table)
        }
    }

    /// Returns the obstacles of a record that is no longer as the commit left it.
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
            // An inserted record is removed as a whole. The comparison of values also finds changes that the
            // history excluded for a while.
            let matters = field != nil || !net.existedBefore
            let differs =
                field.map { !$0.isSecret && (index >= current.values.count || current.values[index] != $0.after) }
                ?? false
            guard matters, commit != nil || differs else { return nil }
            return .changedSince(model: net.key.model, id: net.key.id, property: property.name, commit: commit)
        }
    }

    /// Returns the obstacles of secret values, which the history does not contain.
    ///
    /// A deleted record can be restored without such a value if the property does not require one.
    private func secrets(_ change: RecordChange, of table: ModelTable) -> [UndoObstacle] {
        table.model.storedProperties.compactMap { property in
            guard change.fields[property.name]?.isSecret == true else { return nil }
            guard change.kind == .update || change.kind == .delete && property.isRequired else { return nil }
            return .secret(model: change.model, id: change.record, property: property.name)
        }
    }

    /// Returns the changes of the record by newer commits, without the undone ones.
    ///
    /// A commit and its undo cancel each other, so several commits can be undone one after the other.
    func laterChanges(of key: RecordKey) throws -> [RecordChange] {
        let later = try ChangeTable.changes(of: key.id, key.model, from: end, limit: Self.laterLimit, in: connection)
        guard !later.isEmpty else { return [] }
        let commits = Set(later.map(\.commit))
        var undoneCommits: Set<Int64> = []
        // From the newest commit on: an undo that was itself undone undoes nothing.
        for commit in commits.sorted(by: >) where !undoneCommits.contains(commit) {
            guard let undone = try CommitTable.summary(of: commit, in: connection)?.undoes, commits.contains(undone)
            else { continue }
            undoneCommits.formUnion([commit, undone])
        }
        return later.filter { !undoneCommits.contains($0.commit) }
    }

    /// Returns the obstacles of unique values that another record now has.
    ///
    /// A value that the commit gave to that record is no obstacle, because the undo first removes it.
    private func takenValues(_ change: RecordChange, of table: ModelTable) throws -> [UndoObstacle] {
        guard change.kind != .insert else { return [] }
        var obstacles: [UndoObstacle] = []
        for (property, column) in zip(table.model.storedProperties, table.columns) where property.isUnique {
            guard let value = change.fields[property.name]?.before, !value.isNull else { continue }
            let holder =
                try connection.firstRow("SELECT id FROM \(table.name) WHERE \(column) = ?", [value]) { $0.uuid(0) }
                ?? nil
            guard let holder, holder != change.record else { continue }
            if isUndone(property.name, of: RecordKey(model: change.model, id: holder)) { continue }
            obstacles.append(.valueTaken(model: change.model, id: change.record, property: property.name, by: holder))
        }
        return obstacles
    }

    /// Returns the obstacles of references to records that do not exist and that the undo does not restore.
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

    /// Returns the obstacle of records that refer to a record that the undo removes.
    ///
    /// References that this commit created do not count.
    private func referrers(_ net: NetChange, of table: ModelTable) throws -> [UndoObstacle] {
        try table.foreignKeys.compactMap { key in
            guard let holder = tables[key.model] else { return nil }
            let ids = try connection.rows(
                "SELECT id FROM \(holder.name) WHERE \(connection.dialect.name(key.property)) = ? LIMIT ?",
                [.text(net.key.id.canonicalText), .integer(Int64(changes.count + Self.laterLimit))]
            ) { $0.uuid(0) }
            let others = ids.count { id in
                id.map { !isUndone(key.property, of: RecordKey(model: key.model, id: $0)) } ?? true
            }
            return others == 0 ? nil : .referenced(model: key.target, by: key.model, count: others)
        }
    }

    /// Indicates whether the undo removes the record's current value.
    ///
    /// If the record no longer has the commit's value, this is already an obstacle.
    private func isUndone(_ property: String, of key: RecordKey) -> Bool {
        net[key]?.fields[property] != nil
    }
}

extension UndoObstacleSearch {
    /// The effect of the whole commit on one link, however many steps it took.
    private struct NetLink {
        let first: LinkChange
        var last: LinkChange

        var existedBefore: Bool { !first.isThereAfter }
        var existsAfter: Bool { last.isThereAfter }
    }

    private struct LinkKey: Hashable {
        let relation: String
        let link: LinkRow
    }

    func linkObstacles() throws -> [UndoObstacle] {
        let links = netLinks()
        var obstacles: [UndoObstacle] = []
        for net in links.values where net.existedBefore != net.existsAfter {
            if let obstacle = try newerState(net) ?? missingEnd(net) { obstacles.append(obstacle) }
        }
        for record in net.values where !record.existedBefore && record.existsAfter {
            for side in tables[record.key.model]?.links ?? [] {
                if let obstacle = try otherLinks(of: record.key, by: side, links) { obstacles.append(obstacle) }
            }
        }
        return obstacles
    }

    private func netLinks() -> [LinkKey: NetLink] {
        var links: [LinkKey: NetLink] = [:]
        for change in changes {
            guard let change = LinkChange(change, tables: tables) else { continue }
            let key = LinkKey(relation: change.side.table.relation.name, link: change.link)
            links[key, default: NetLink(first: change, last: change)].last = change
        }
        return links
    }

    /// Returns the obstacle of a link that is no longer as the commit left it, or that changed in the meantime.
    private func newerState(_ net: NetLink) throws -> UndoObstacle? {
        let change = net.last
        let key = RecordKey(model: change.side.end.own.model, id: change.record)
        let commit = try laterChanges(of: key).first { later in
            LinkChange(later, tables: tables).map { $0.link == change.link && $0.side.table === change.side.table }
                ?? false
        }?.commit
        let isThere = try change.side.table.contains(change.link, in: connection)
        guard commit != nil || isThere != net.existsAfter else { return nil }
        return .changedSince(model: key.model, id: key.id, property: change.side.end.own.property, commit: commit)
    }

    /// Returns the obstacle of a link's record that does not exist and that the undo does not restore.
    private func missingEnd(_ net: NetLink) throws -> UndoObstacle? {
        guard net.existedBefore else { return nil }
        let change = net.last, end = change.side.end
        for key in [
            RecordKey(model: end.own.model, id: change.record), RecordKey(model: end.other.model, id: change.other),
        ] {
            guard self.net[key]?.existedBefore != true, let table = tables[key.model] else { continue }
            let isThere = try connection.firstRow(table.find, [.text(key.id.canonicalText)]) { _ in true } ?? false
            if !isThere {
                return .missingReference(model: end.own.model, id: change.record, property: end.own.property)
            }
        }
        return nil
    }

    /// Returns the obstacle of links of a record that the undo removes. Links that this commit created do not
    /// count.
    private func otherLinks(
        of key: RecordKey, by side: LinkSide, _ links: [LinkKey: NetLink]
    ) throws -> UndoObstacle? {
        let sql = "SELECT source, target FROM \(side.table.name) WHERE \(side.own) = ? LIMIT ?"
        let limit = FieldValue.integer(Int64(changes.count + Self.laterLimit))
        let others = try connection.rows(sql, [.text(key.id.canonicalText), limit]) { $0.link(0) }.count { link in
            links[LinkKey(relation: side.table.relation.name, link: side.table.canonical(link))]?.existsAfter != true
        }
        return others == 0 ? nil : .referenced(model: key.model, by: side.end.other.model, count: others)
    }
}
