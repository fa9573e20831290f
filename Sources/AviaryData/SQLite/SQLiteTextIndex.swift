import AviaryDomain

// FTS5 with its trigram tokenizer, which finds parts of words. The indexed text is already folded, so the index is
// case-sensitive.
//
// A MATCH needs three characters. A shorter part is the beginning of each sequence of three characters in which it
// comes first, so a range of the index's vocabulary (fts5vocab) finds it. Two characters follow each text, so that a
// part at the end of the text comes first somewhere, too.
extension SQLiteDialect {
    var leastIndexedPart: Int { 3 }

    func createTextIndex(_ index: TextIndex) -> [String] {
        [
            "CREATE VIRTUAL TABLE \(index.name) USING fts5(\(index.columns.joined(separator: ", ")), content=\(index.table), "
                + "content_rowid=\(index.key), tokenize='trigram case_sensitive 1')",
            "CREATE VIRTUAL TABLE \(index.parts) USING fts5vocab(\(index.name), instance)",
        ]
    }

    /// Returns the statements that drop the index. A file of a former version has no list of the parts.
    func dropTextIndex(_ name: String, parts: String) -> [String] {
        ["DROP TABLE IF EXISTS \(parts)", "DROP TABLE \(name)"]
    }

    var hasPartList: Bool { true }

    /// Returns the text followed by two capital letters, which occur in no folded text.
    func indexedText(_ folded: String) -> String { "\(folded) || 'ZZ'" }

    func rebuildTextIndex(_ index: TextIndex) -> String? {
        "INSERT INTO \(index.name) (\(index.name)) VALUES ('rebuild')"
    }

    func addToTextIndex(_ index: TextIndex) -> String? {
        let columns = index.columns.joined(separator: ", ")
        return "INSERT INTO \(index.name) (rowid, \(columns)) SELECT \(index.key), \(columns) FROM \(index.table)"
    }

    func removeFromTextIndex(_ index: TextIndex) -> String? {
        let columns = index.columns.joined(separator: ", ")
        return "INSERT INTO \(index.name) (\(index.name), rowid, \(columns)) "
            + "SELECT 'delete', \(index.key), \(columns) FROM \(index.table)"
    }

    func merging(ofTextIndex index: String) -> TextIndexMerging? {
        let quoted = name(index), command = "INSERT INTO \(quoted) (\(quoted), rank) VALUES"
        return TextIndexMerging(
            segments: "SELECT block FROM \(name(index + "_data")) WHERE id = 10", merge: "\(command) ('merge', ?)",
            automatic: "SELECT v FROM \(name(index + "_config")) WHERE k = 'automerge'",
            disabling: ["\(command) ('crisismerge', 64)", "\(command) ('automerge', 0)"],
            segmentSize: { "\(command) ('hashsize', \($0))" })
    }

    func isInTextIndex(_ index: String, _ key: String) -> String {
        "\(key) IN (SELECT id FROM \(name(index + "_docsize")))"
    }

    func keys(of search: TextSearch, in index: TextIndex) -> [SQLText] {
        guard !isIndexed(search) else {
            return [
                SQLText(
                    "SELECT rowid AS key FROM \(index.name) WHERE \(index.name) MATCH ?", [.text(expression(search))])
            ]
        }
        switch search {
        case .part(let part, let column):
            // No sequence of three characters that begins with the part follows the upper bound.
            return [
                SQLText(
                    "SELECT doc AS key FROM \(index.parts) WHERE term >= ? AND term <= ? AND col = ?",
                    [.text(part), .text(part + "\u{10FFFF}\u{10FFFF}"), .text(column)])
            ]
        case .any(let parts):
            let found = parts.filter(isIndexed)
            return (found.isEmpty ? [] : keys(of: .any(found), in: index))
                + parts.filter { !isIndexed($0) }.flatMap { keys(of: $0, in: index) }
        case .all(var parts):
            // The texts of the rows that the leading parts find are compared with the others.
            let leading: [TextSearch]
            if parts.contains(where: isIndexed) {
                leading = parts.filter(isIndexed)
                parts.removeAll(where: isIndexed)
            } else {
                let longest = parts.indices.max { parts[$0].leadingPart < parts[$1].leadingPart } ?? 0
                leading = [parts.remove(at: longest)]
            }
            let search = leading.count == 1 ? leading[0] : TextSearch.all(leading)
            // The list of parts has a row for each place of a part. A text is compared once.
            let queries = keys(of: search, in: index).map { query in
                isIndexed(search) ? query : SQLText("SELECT DISTINCT key FROM (\(query.text))", query.values)
            }
            let test = TextSearch.all(parts).condition { part, column in
                SQLText(contains("\(index.table).\(name(column))", part: "?"), [.text(part)])
            }
            // The order of a CROSS JOIN is that of its tables.
            return queries.map { query in
                SQLText(
                    "SELECT \(index.table).\(index.key) AS key FROM (\(query.text)) AS leading CROSS JOIN \(index.table) "
                        + "ON \(index.table).\(index.key) = leading.key WHERE \(test.text)",
                    query.values + test.values)
            }
        }
    }

    /// Indicates whether the index finds all parts itself.
    private func isIndexed(_ search: TextSearch) -> Bool { search.shortestPart >= leastIndexedPart }

    /// Returns the search in the language of FTS5.
    private func expression(_ search: TextSearch) -> String {
        switch search {
        case .part(let part, let column): "\(name(column)) : \(name(part))"
        case .all(let parts): "(\(parts.map(expression).joined(separator: " AND ")))"
        case .any(let parts): "(\(parts.map(expression).joined(separator: " OR ")))"
        }
    }
}
