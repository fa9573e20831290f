import AviaryDomain

/// Which tables of many-to-many relations a file lacks, and which it has of relations that are gone.
struct LinkChanges: Sendable {
    struct Dropped: Sendable {
        /// `Book.authors`.
        let relation: String
        let links: Int
        /// Whether the links may be lost.
        let isGivenUp: Bool

        /// `1 link`, `1,204 links`.
        var counted: String { Words.grouped(links) + (links == 1 ? " link" : " links") }
    }

    let added: [LinkTable]
    let dropped: [Dropped]

    init(to layout: StoreLayout, dropping given: Set<String>, in connection: any Connection) throws {
        let existing = Set(try connection.tableNames())
        let known = Set(layout.tables.links.map(\.tableName))
        added = layout.tables.links.filter { !existing.contains($0.tableName) }
        dropped = try existing.sorted().filter { $0.hasPrefix(LinkTable.namePrefix) && !known.contains($0) }.map { name in
            let relation = String(name.dropFirst(LinkTable.namePrefix.count))
            let sql = "SELECT count(*) FROM \(connection.dialect.name(name))"
            let count = try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
            return Dropped(relation: relation, links: count, isGivenUp: given.contains(relation))
        }
    }

    var kind: SchemaDifference.Kind {
        if dropped.contains(where: { $0.links > 0 }) { return .exclusive }
        return added.isEmpty && dropped.isEmpty ? .none : .additive
    }

    /// For sentences.
    var steps: [String] {
        added.map { "add the relation \($0.relation.name)" } + dropped.filter { $0.links == 0 || $0.isGivenUp }.map { dropped in
            "drop the relation \(dropped.relation)"
                + (dropped.links > 0 ? " with its \(dropped.counted)" : ", which has no links")
        }
    }

    /// For sentences.
    var refusals: [String] {
        dropped.filter { $0.links > 0 && !$0.isGivenUp }.map { dropped in
            "The relation \(dropped.relation) is in the file and not in the program, and its \(dropped.counted) "
                + "would be lost. Declare it again, or give the links up: migrate --drop \(dropped.relation)."
        }
    }

    /// Behind the tables of the models.
    func apply(in connection: any WriterConnection) throws {
        for table in added {
            for statement in table.creation { try connection.run(statement) }
        }
        for dropped in dropped {
            // Its keys would stand against deletes.
            try connection.run("DROP TABLE \(connection.dialect.name(LinkTable.namePrefix + dropped.relation))")
        }
    }
}
