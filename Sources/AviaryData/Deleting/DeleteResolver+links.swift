import AviaryDomain

extension DeleteResolver {
    /// The links that rows to be deleted have by one side.
    struct LinksOfRows {
        let side: LinkSide
        /// The rows at the other ends.
        let others: [Int64]
        /// The links themselves, in the order of ``others``; only of a side that forbids the delete.
        let pairs: [Link]

        var model: String { side.end.other.model }
    }

    func links(_ side: LinkSide, of rows: DeleteResolution.Rows) throws -> LinksOfRows {
        guard let other = tables[side.end.other.model] else { return LinksOfRows(side: side, others: [], pairs: []) }
        let dialect = connection.dialect
        let row = dialect.rowNumber, join = dialect.orderedJoin
        // From the list over the ids to the index of the side, and to the rows at the other ends.
        let sql = """
            SELECT other.\(row), link.source, link.target FROM \(dialect.list) \
            \(join) \(rows.table.name) AS own ON own.\(row) = list.value \
            \(join) \(side.table.name) AS link ON link.\(side.own) = own.id \
            \(join) \(other.name) AS other ON other.id = link.\(side.other)
            """
        var others: [Int64] = []
        var pairs: [Link] = []
        try RowList(rows.rows).forEachList(dialect) { list in
            for (row, link) in try connection.rows(
                sql, [list], read: { ($0.integer(0), side.forbidsDelete ? $0.link(1) : nil) })
            {
                others.append(row)
                if let link { pairs.append(link) }
            }
        }
        return LinksOfRows(side: side, others: others, pairs: pairs)
    }

    /// Sorts the links once it is known which of the records at the other ends remain.
    func sort(_ links: [LinksOfRows], going: [String: Set<Int64>], into resolution: inout DeleteResolution) {
        for links in links {
            let gone = going[links.model] ?? []
            guard links.side.forbidsDelete else {
                let staying = links.others.filter { !gone.contains($0) }
                if !staying.isEmpty { resolution.unlinked[links.model, default: []].formUnion(staying) }
                continue
            }
            let pairs = zip(links.others, links.pairs)
            func add(_ pairs: [Link], to list: inout [DeleteResolution.Links]) {
                if !pairs.isEmpty { list.append(.init(side: links.side, pairs: pairs)) }
            }
            add(pairs.filter { gone.contains($0.0) }.map(\.1), to: &resolution.endedLinks)
            let staying = pairs.filter { !gone.contains($0.0) }.map(\.1)
            if links.side.end.own.deleteRule == .deny {
                add(staying, to: &resolution.deniedLinks)
            } else {
                add(staying, to: &resolution.unresolvedLinks)
            }
        }
    }
}

extension LinkSide {
    /// A Boolean value that indicates whether links forbid deleting the record of this side.
    var forbidsDelete: Bool {
        switch end.own.deleteRule {
        case .deny, .noAction: true
        case .cascade, .nullify: false
        }
    }
}

extension Row {
    /// The two columns of a link table from this one on.
    func link(_ column: Int) -> Link { Link(source: text(column) ?? "", target: text(column + 1) ?? "") }
}
