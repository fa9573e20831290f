import AviaryDomain

/// Walks the links of a many-to-many property beside its records, both in the order of the records' ids, so that none
/// are kept in memory but those of one record.
final class LinkCursor {
    private let row: any PreparedStatement
    private var id: String?

    init(_ side: LinkSide, in connection: any Connection) throws {
        row = try connection.statement(
            "SELECT \(side.own), \(side.other) FROM \(side.table.name) ORDER BY \(side.own), \(side.other)")
        try advance()
    }

    deinit {
        row.reset()
    }

    /// The ids of the records that this one is linked with. To be asked in the order of the ids.
    func links(of record: String) throws -> [String] {
        while let id, id < record { try advance() }
        var links: [String] = []
        while id == record {
            if let link = row.text(1) { links.append(link) }
            try advance()
        }
        return links
    }

    private func advance() throws {
        id = try row.step() ? row.text(0) : nil
    }
}
