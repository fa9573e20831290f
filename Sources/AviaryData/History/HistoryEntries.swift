import AviaryDomain

/// The commits of a history beside their entries.
struct HistoryEntries {
    private let connection: any Connection

    init(_ connection: any Connection) {
        self.connection = connection
    }

    /// Whether each entry belongs to the commit that it names, and each commit has all of its entries, but for the
    /// oldest, of which some may be gone.
    func areComplete() throws -> Bool {
        let start = try ChangeTable.firstNumber(in: connection) ?? .max
        let commits = try connection.statement(
            "SELECT number, first_change, changes FROM aviary_commit WHERE changes > 0 AND first_change + changes > ? "
                + "ORDER BY first_change")
        let entries = try connection.statement(#"SELECT number, "commit" FROM aviary_change ORDER BY number"#)
        defer {
            commits.reset()
            entries.reset()
        }
        try commits.bind([.integer(start)])
        var hasEntry = try entries.step()
        var end: Int64 = 0
        while try commits.step() {
            let first = commits.integer(1), count = commits.integer(2)
            guard first >= end else { return false }
            end = first + count
            var found: Int64 = 0
            while hasEntry, entries.integer(0) < end {
                guard entries.integer(0) >= first, entries.integer(1) == commits.integer(0) else { return false }
                found += 1
                hasEntry = try entries.step()
            }
            guard found == count || first < start && found == end - start else { return false }
        }
        return !hasEntry
    }
}

/// The fields of an entry of the history, as the store keeps them.
enum FieldText {
    /// Puts in place of values that there is one, as ``JSONWriter/secret()`` does.
    ///
    /// - Throws: ``JSONError``.
    static func masking(_ text: [UInt8], _ isMasked: (String) -> Bool) throws -> [UInt8] {
        var reader = JSONReader(text), json = JSONWriter(capacity: text.count + 16)
        var isFirst = true
        json.raw("{")
        try reader.object { name, reader in
            if !isFirst { json.raw(",") }
            isFirst = false
            json.text(name)
            json.raw(":")
            _ = try reader.start()
            let start = reader.position
            try reader.skip()
            let value = text[start..<reader.position]
            if isMasked(name), !value.elementsEqual("null".utf8) {
                json.secret()
            } else {
                json.raw(Array(value))
            }
        }
        try reader.finish()
        json.raw("}")
        return json.bytes
    }
}
