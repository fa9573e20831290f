import AviaryDomain
import CPostgreSQL

/// The queries of the server's catalogue. A name that is longer than the server's is shortened, and stands in full in the
/// comment of its object.
enum PostgreSQLCatalogue {
    static let tableNames = """
        SELECT coalesce(obj_description(oid, 'pg_class'), relname::text) FROM pg_class \
        WHERE oid IN (\(objects(in: "pg_class"))) AND relkind = 'r' AND relname <> '\(PostgreSQLStoreTable.name)' ORDER BY 1
        """
    static let columnNames = """
        SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped \
        AND attname <> '\(PostgreSQLDialect.rowNumberColumn)' ORDER BY attnum
        """
    /// The indexes that statements created. The comment of each is its name and the statement.
    static let indexes = """
        SELECT obj_description(indexrelid, 'pg_class') FROM pg_index \
        WHERE indrelid IN (\(objects(in: "pg_class"))) AND obj_description(indexrelid, 'pg_class') IS NOT NULL
        """
    static let triggers = """
        SELECT tgname::text, obj_description(oid, 'pg_trigger') FROM pg_trigger \
        WHERE tgrelid IN (\(objects(in: "pg_class"))) AND NOT tgisinternal
        """
    static let functions = """
        SELECT proname::text FROM pg_proc WHERE oid IN (\(objects(in: "pg_proc"))) AND prorettype = 'trigger'::regtype
        """
    static let temporaryViews = """
        SELECT relname::text FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'v'
        """

    static func schema(ofExtension name: String) -> String {
        """
        SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace \
        WHERE extname = '\(name)'
        """
    }

    static func uniqueColumns(_ schema: String) -> String {
        """
        SELECT DISTINCT attname::text FROM pg_index \
        JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey) \
        WHERE indrelid IN (\(objects(in: "pg_class", ofSchema: schema + "::text"))) AND indisunique AND NOT indisprimary \
        AND attname <> '\(PostgreSQLDialect.rowNumberColumn)'
        """
    }

    /// Returns the query of a schema's objects in a catalogue.
    ///
    /// An index finds them by what they depend on, however many other schemas the database has. The catalogues themselves have
    /// none for their objects' schema, and would convert its name again for each row.
    private static func objects(in catalogue: String, ofSchema schema: String = "?") -> String {
        """
        SELECT objid FROM pg_depend WHERE classid = '\(catalogue)'::regclass \
        AND refclassid = 'pg_namespace'::regclass AND refobjid = (SELECT \(schema)::regnamespace)
        """
    }
}

extension PostgreSQLConnection {
    /// The quoted name of the schema, as a value.
    private var schemaValue: FieldValue { .text(PostgreSQLDialect.quoted(schema)) }

    func tableNames() throws -> [String] {
        guard try hasSchema() else { return [] }
        return try rows(PostgreSQLCatalogue.tableNames, [schemaValue]) { $0.text(0) ?? "" }
    }

    func columnNames(ofTable table: String) throws -> [String] {
        let name = PostgreSQLDialect.quoted(schema) + "." + dialect.name(table)
        return try rows(PostgreSQLCatalogue.columnNames, [.text(name)]) { $0.text(0) ?? "" }
    }

    /// Returns the tables that the columns of a table refer to. The store's description of its relations has them; the
    /// server has no foreign keys.
    func references(ofTable table: String) throws -> [String: String] { [:] }

    func indexes() throws -> [IndexDefinition] {
        guard try hasSchema() else { return [] }
        return try rows(PostgreSQLCatalogue.indexes, [schemaValue]) { $0.text(0) ?? "" }.compactMap { comment in
            guard let end = comment.firstIndex(of: "\n") else { return nil }
            return IndexDefinition(
                name: String(comment[..<end]), creation: String(comment[comment.index(after: end)...]))
        }
    }

    func triggers() throws -> [String: String] {
        guard try hasSchema() else { return [:] }
        let triggers = try rows(PostgreSQLCatalogue.triggers, [schemaValue]) { row in
            (row.text(0) ?? "", row.text(1) ?? "")
        }
        return Dictionary(triggers, uniquingKeysWith: { first, _ in first })
    }

    /// The text of no mask.
    private static let unknownMask = ""

    var pendingTable: String { "\(PostgreSQLDialect.quoted(schema)).\(PendingRowTable.name)" }

    private func hasPendingTable() throws -> Bool {
        try firstRow("SELECT to_regclass(?) IS NOT NULL", [.text(pendingTable)]) { $0.integer(0) == 1 } ?? false
    }

    func hasSchema() throws -> Bool {
        try firstRow("SELECT to_regnamespace(?) IS NOT NULL", [schemaValue]) { $0.integer(0) == 1 } ?? false
    }

    func isEmpty() throws -> Bool { try tableNames().isEmpty && !isStore() }

    // A temporary view precedes a table of the same name. It belongs to the session. The server does not notice that the
    // names in a prepared statement now denote views, so all are prepared again.
    func hideRows(ofMask text: String?) throws {
        let views = try rows(PostgreSQLCatalogue.temporaryViews) { $0.text(0) ?? "" }
        guard text != nil || !views.isEmpty else {
            maskText = nil
            return
        }
        // Until all is done it is unknown what the session hides.
        maskText = Self.unknownMask
        let mask = try text.map { try RowMask(text: $0).views(dialect, columns: columnNames) } ?? []
        try run("BEGIN READ WRITE")
        do {
            // The end of a long change drops this table, and with it the views of all sessions. Who changes views waits for
            // that first, or lets it wait, so that neither waits for the other.
            if try hasPendingTable() { try run("LOCK TABLE \(pendingTable) IN ACCESS SHARE MODE") }
            for view in views { try run("DROP VIEW IF EXISTS pg_temp.\(PostgreSQLDialect.quoted(view)) CASCADE") }
            for view in mask { try run("CREATE TEMP VIEW \(dialect.name(view.name)) AS \(view.query)") }
            try commit()
            PQclear(try link?.exchange())
        } catch {
            abandonTransaction()
            try forgetStatements()
            // The mask has ended meanwhile, and its table with it. The next look finds out.
            if let error = error as? EngineError, error.isOfMissingTable { return }
            throw error
        }
        try forgetStatements()
        maskText = text
    }
}
