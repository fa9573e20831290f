import AviaryDomain

/// The changes of a migration step to the links of many-to-many relations.
struct LinkChanges: Sendable {
    struct Missing: Sendable {
        let relation: SchemaSummary.Relation
        let isGivenUp: Bool
    }

    private let added: [LinkTable]
    private let changed: [(relation: ChangedRelation, table: LinkTable)]
    private let missing: [Missing]

    init(_ difference: SchemaDifference, to tables: ModelTables) {
        var added: [LinkTable] = [], changed: [(relation: ChangedRelation, table: LinkTable)] = [],
            missing: [Missing] = []
        func table(_ relation: LinkRelation) -> LinkTable? { tables.links.first { $0.relation == relation } }
        for case .relation(let change) in difference.changes {
            switch change {
            case .new(let relation): table(relation).map { added.append($0) }
            case .changed(let relation): table(relation.new).map { changed.append((relation, $0)) }
            case .missing(let relation, let isGivenUp):
                missing.append(Missing(relation: relation, isGivenUp: isGivenUp))
            }
        }
        self.added = added
        self.changed = changed
        self.missing = missing
    }

    private var moved: [(relation: ChangedRelation, table: LinkTable)] { changed.filter(\.relation.movesLinks) }
    private var retargeted: [(relation: ChangedRelation, table: LinkTable)] { changed.filter(\.relation.isRetargeted) }

    var replacesTables: Bool { !moved.isEmpty }
    var outdatesHistory: Bool { !changed.isEmpty || !missing.isEmpty }

    /// Returns the numbers of links of the removed relations in a file, by the relations' names.
    func missingCounts(in connection: any Connection) throws -> [String: Int] {
        let counts = try missing.map { ($0.relation.name, try LinkTable.count($0.relation, in: connection)) }
        return Dictionary(counts, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the steps in words for relations that are removed.
    ///
    /// - Parameter counts: The numbers of links in the file, by relation, if they are known.
    func steps(_ counts: [String: Int]) -> [String] {
        missing.map { missing in
            let end =
                switch (counts[missing.relation.name], missing.isGivenUp) {
                case (0?, _): ", which has no links"
                case (let count?, true): " with its \(Self.links(count))"
                case (nil, true): " with its links"
                case (_, false): ", which must have no links then"
                }
            return "drop the relation \(missing.relation.name)\(end)"
        }
    }

    /// Returns the reasons to reject the migration: the links that would be lost without permission.
    ///
    /// - Parameter file: The models of the file; nil if they were already migrated.
    func refusals(_ file: SchemaSummary?, in connection: any Connection) throws -> [String] {
        try missing.filter { !$0.isGivenUp }.compactMap { missing in
            let count = try LinkTable.count(missing.relation, in: connection)
            guard count > 0 else { return nil }
            return
                "The relation \(missing.relation.name) is in the file and not in the program, and its \(Self.links(count)) "
                + "would be lost. Declare it again, or give the links up: migrate --drop \(missing.relation.name)."
        }
            + retargeted.filter { !$0.relation.isGivenUp }.compactMap { relation, table in
                let count =
                    try file.map { try unfitCount(relation, in: $0, connection) }
                    ?? unfitCount(relation, table, connection)
                guard count > 0 else { return nil }
                let models = TextFormatter.list(relation.newModels)
                return
                    "The relation \(relation.new.name) is to link to \(models), and \(Self.links(count)) would be lost, for which there "
                    + "is no \(models). Let a stage of the migration plan make these records, with the same ids, or move the "
                    + "links; or give the links up: migrate --drop \(relation.new.name)."
            }
    }

    private static func links(_ count: Int) -> String {
        TextFormatter.grouped(count) + (count == 1 ? " link" : " links")
    }
}

// MARK: Applying the changes

extension LinkChanges {
    /// Changes the link tables.
    ///
    /// The tables of the models must already have their final form. The tables of the relations get it here.
    ///
    /// - Throws: ``StoreOpenError/migrationRefused(_:)`` if a relation to be removed has links that the user has
    ///   not given up.
    func apply(in connection: any WriterConnection) throws {
        let dialect = connection.dialect
        let lost = try LinkChanges(added: [], changed: [], missing: missing).refusals(nil, in: connection)
        guard lost.isEmpty else { throw StoreOpenError.migrationRefused(lost) }
        // All tables are copied before any is dropped: a new table may have the name of an old one.
        for (relation, table) in moved {
            try connection.run(table.createTable(named: table.temporaryName))
            try connection.run(copy(relation, to: table))
        }
        for name in moved.map(\.relation.old.name) + missing.map(\.relation.name) {
            // The foreign keys of the table would prevent deletes.
            try connection.run("DROP TABLE \(dialect.name(LinkTable.namePrefix + name))")
        }
        for (_, table) in moved {
            try connection.run("ALTER TABLE \(table.temporaryName) RENAME TO \(table.name)")
            try connection.run(table.createIndex)
        }
        for table in added {
            for statement in table.creation { try connection.run(statement) }
        }
    }

    /// Removes links that do not fit and that the user has given up, after the program's own part of the migration.
    ///
    /// - Throws: ``StoreOpenError/migrationRefused(_:)`` if other links do not fit.
    func settle(in connection: any WriterConnection) throws {
        for (relation, table) in retargeted where relation.isGivenUp {
            try connection.run("DELETE FROM \(table.name) WHERE \(relation.unfit(connection.dialect))")
        }
        let lost = try LinkChanges(added: [], changed: changed, missing: []).refusals(nil, in: connection)
        guard lost.isEmpty else { throw StoreOpenError.migrationRefused(lost) }
    }

    private init(added: [LinkTable], changed: [(relation: ChangedRelation, table: LinkTable)], missing: [Missing]) {
        self.added = added
        self.changed = changed
        self.missing = missing
    }

    private func copy(_ relation: ChangedRelation, to table: LinkTable) -> String {
        let old = table.dialect.name(LinkTable.namePrefix + relation.old.name)
        let (source, target) = relation.isReversed ? ("target", "source") : ("source", "target")
        let both = relation.becomesSymmetric ? " UNION SELECT \(target), \(source) FROM \(old)" : ""
        return
            "INSERT INTO \(table.temporaryName) (source, target) SELECT \(source), \(target) FROM \(old)\(both) ORDER BY 1, 2"
    }
}

// MARK: Links that do not fit

extension LinkChanges {
    private func unfitCount(_ relation: ChangedRelation, _ table: LinkTable, _ connection: any Connection) throws -> Int
    {
        let sql = "SELECT count(*) FROM \(table.name) WHERE \(relation.unfit(connection.dialect))"
        return try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
    }

    /// Returns the number of links that do not fit, before any change.
    private func unfitCount(_ relation: ChangedRelation, in file: SchemaSummary, _ connection: any Connection) throws
        -> Int
    {
        let isThere = relation.newModels.allSatisfy { file.models[$0] != nil }
        guard isThere else { return try LinkTable.count(relation.old, in: connection) }
        let table = connection.dialect.name(LinkTable.namePrefix + relation.old.name)
        let condition = relation.unfit(connection.dialect, isReversed: relation.isReversed)
        return try connection.firstRow("SELECT count(*) FROM \(table) WHERE \(condition)") { Int($0.integer(0)) } ?? 0
    }
}

extension ChangedRelation {
    /// The models to which the relation's links did not lead before.
    fileprivate var newModels: [String] {
        (retargetsSource ? [new.source.model] : []) + (retargetsTarget ? [new.target.model] : [])
    }

    /// Returns a condition that is true for links to records that do not exist.
    fileprivate func unfit(_ dialect: any SQLDialect, isReversed: Bool = false) -> String {
        let (source, target) = isReversed ? ("target", "source") : ("source", "target")
        var conditions: [String] = []
        if retargetsSource { conditions.append("\(source) NOT IN (SELECT id FROM \(dialect.name(new.source.model)))") }
        if retargetsTarget { conditions.append("\(target) NOT IN (SELECT id FROM \(dialect.name(new.target.model)))") }
        return conditions.joined(separator: " OR ")
    }
}

extension LinkTable {
    fileprivate var temporaryName: String { dialect.name("aviary_new." + tableName) }
}
