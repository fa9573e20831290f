import AviaryDomain
import Foundation

/// The rows that a long change hides from all readers, so that it takes effect at once although its rows change in
/// steps.
///
/// While a mask is in effect, each connection has temporary views with the names of the tables. Statements that read
/// use these names and see neither the masked rows nor links to them; a reference to a masked row reads as null.
/// Statements that write use ``SQLDialect/stored(_:)``.
struct RowMask: Codable, Hashable, Sendable {
    /// A reference whose values may be masked rows.
    struct Reference: Codable, Hashable, Sendable, Comparable {
        let model: String
        let property: String
        let target: String

        static func < (left: Reference, right: Reference) -> Bool {
            (left.model, left.property) < (right.model, right.property)
        }
    }

    /// A table of links with the models of its ends.
    struct Links: Codable, Hashable, Sendable {
        let table: String
        let source: String
        let target: String
    }

    /// The kind of the masked rows in ``PendingRowTable``.
    let kind: PendingRow.Kind
    /// The models with masked rows.
    let models: [String]
    /// The commit of the long change; nil before it.
    let commit: Int64?
    /// The models with other pending rows, which have the version of the commit from now on.
    let changed: [String]
    let references: [Reference]
    let links: [Links]

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(RowMask.self, from: Data(text.utf8))
    }

    init(
        kind: PendingRow.Kind, models: Set<String>, commit: Int64?, changed: Set<String>, references: Set<Reference>,
        tables: ModelTables
    ) {
        self.kind = kind
        self.commit = commit
        self.changed = changed.sorted()
        self.models = models.sorted()
        self.references = references.sorted()
        links = tables.links.filter {
            models.contains($0.relation.source.model) || models.contains($0.relation.target.model)
        }
        .map { Links(table: $0.tableName, source: $0.relation.source.model, target: $0.relation.target.model) }
    }

    private static let current = Query("SELECT value FROM aviary_meta WHERE key = '\(MetaTable.Key.rowMask.rawValue)'")

    /// Returns the text of the mask in effect; nil if there is none.
    static func text(in connection: any Connection) throws -> String? {
        let value = try connection.firstRow(current) { connection.dialect.value(ofAny: $0.value(0)) }
        if case .text(let text) = value { return text }
        return nil
    }

    /// Returns the tables to hide rows of, each with the query that replaces it.
    ///
    /// - Parameter columns: A function that returns the names of a table's columns.
    func views(_ dialect: any SQLDialect, columns: (String) throws -> [String]) throws -> [(
        name: String, query: String
    )] {
        var views: [(name: String, query: String)] = []
        for model in Set(models).union(references.map(\.model)).union(changed).sorted() {
            let names = try columns(model)
            guard !names.isEmpty else { continue }
            let row = dialect.rowNumber
            let selected = names.map { column in
                if column == "aviary_version", let commit, changed.contains(model) {
                    return "CASE WHEN EXISTS (SELECT 1 FROM \(dialect.stored(PendingRowTable.name)) AS pending "
                        + "WHERE pending.model = \(dialect.literal(.text(model))) AND pending.record_row = shown.\(row)) "
                        + "THEN \(commit) ELSE shown.aviary_version END AS aviary_version"
                }
                guard let reference = references.first(where: { $0.model == model && $0.property == column }) else {
                    return "shown.\(dialect.name(column))"
                }
                let value = "shown.\(dialect.name(column))"
                // The record may be deleted already.
                return "CASE WHEN \(value) IS NULL OR NOT \(isShown(reference.target, id: value, dialect)) "
                    + "THEN NULL ELSE \(value) END AS \(dialect.name(column))"
            }
            var query =
                "SELECT shown.\(row) AS \(row), \(selected.joined(separator: ", ")) "
                + "FROM \(dialect.stored(dialect.name(model))) AS shown"
            if models.contains(model) {
                query +=
                    " WHERE NOT EXISTS (SELECT 1 FROM \(dialect.stored(PendingRowTable.name)) AS pending "
                    + "WHERE \(pending(model, dialect)) AND pending.record_row = shown.\(row))"
            }
            views.append((model, query))
        }
        for link in links {
            let conditions = [(link.source, "source"), (link.target, "target")].filter { models.contains($0.0) }
                .map { "NOT \(isMasked($0.0, id: "shown.\($0.1)", dialect))" }
            views.append(
                (
                    link.table,
                    "SELECT shown.source, shown.target FROM \(dialect.stored(dialect.name(link.table))) AS shown "
                        + "WHERE \(conditions.joined(separator: " AND "))"
                ))
        }
        return views
    }

    private func isShown(_ model: String, id: String, _ dialect: any SQLDialect) -> String {
        "EXISTS (SELECT 1 FROM \(dialect.stored(dialect.name(model))) AS target WHERE target.id = \(id) "
            + "AND NOT EXISTS (SELECT 1 FROM \(dialect.stored(PendingRowTable.name)) AS pending "
            + "WHERE \(pending(model, dialect)) AND pending.record_row = target.\(dialect.rowNumber)))"
    }

    private func isMasked(_ model: String, id: String, _ dialect: any SQLDialect) -> String {
        "EXISTS (SELECT 1 FROM \(dialect.stored(dialect.name(model))) AS target "
            + "\(dialect.orderedJoin) \(dialect.stored(PendingRowTable.name)) AS pending "
            + "ON \(pending(model, dialect)) AND pending.record_row = target.\(dialect.rowNumber) "
            + "WHERE target.id = \(id))"
    }

    private func pending(_ model: String, _ dialect: any SQLDialect) -> String {
        "pending.model = \(dialect.literal(.text(model))) AND pending.kind = \(kind.rawValue)"
    }
}

extension Connection {
    /// Runs the body in a read transaction in which masked rows are hidden.
    ///
    /// Inside a transaction the body runs in that one.
    func maskedSnapshot<T>(_ body: () throws -> T) throws -> T {
        guard !isInTransaction else { return try body() }
        for _ in 0..<Self.mostMasks {
            let result: T?? = try snapshot {
                guard try currentMask() == maskText else { return nil }
                return .some(try body())
            }
            if case .some(.some(let result)) = result { return result }
            try hideRows(ofMask: snapshot { try currentMask() })
        }
        throw ReadError.storeBusy
    }

    /// The number of masks that may follow each other before a read fails. Each takes two commits, so this many follow each
    /// other only if nothing but short changes in steps are made while the reader's thread does not run.
    private static var mostMasks: Int { 1000 }

    /// Returns the text of the mask in effect.
    ///
    /// If it cannot be read, the body's own statements report why: the file is no store, or it is damaged.
    private func currentMask() throws -> String? {
        do {
            return try RowMask.text(in: self)
        } catch let error as EngineError where error.kind != .interrupted && error.kind != .busy {
            return nil
        }
    }
}
