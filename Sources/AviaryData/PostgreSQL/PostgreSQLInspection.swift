package import AviaryDomain
import Foundation

extension PostgreSQLEngine: DatabaseEngine {
    /// The store of the engine's own directory, for messages.
    package func name(of directory: DataDirectory) -> String { "\(address)" }

    package func inspect() async throws -> DatabaseReport {
        try await BlockingWork.run {
            let connection = try PostgreSQLConnection(
                address, schema: Self.standardSchema, role: .reader, timelines: timelines)
            defer { connection.close() }
            let schema = PostgreSQLDialect.quoted(Self.standardSchema)
            let text = try connection.firstRow(Self.inspection, [.text(schema)]) { $0.text(0) ?? "" }
            var report = try JSONDecoder().decode(DatabaseReport.self, from: Data((text ?? "").utf8))
            // A store that another host creates at this moment has no position yet.
            if report.hasStore { report.lastCommit = try? StorePosition.read(from: connection)?.commit }
            return report
        }
    }

    // Roles that may not see the details of others see them as nulls.
    private static let inspection = """
        SELECT json_build_object(
            'version', split_part(current_setting('server_version'), ' ', 1),
            'isReplica', pg_is_in_recovery(),
            'connections', (SELECT coalesce(sum(numbackends), 0) FROM pg_stat_database WHERE datid <> 0),
            'connectionLimit', current_setting('max_connections')::integer
                - current_setting('superuser_reserved_connections')::integer,
            'ownConnectionLimit', least(
                (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
                (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())),
            'size', pg_database_size(current_database()),
            'replicas', (SELECT coalesce(json_agg(json_build_object(
                'name', application_name, 'isSynchronous', sync_state IN ('sync', 'quorum'),
                'lagBytes', pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn()
                    ELSE pg_current_wal_lsn() END, replay_lsn)::bigint)), '[]')
                FROM pg_stat_replication),
            'synchronousReplicas', current_setting('synchronous_standby_names'),
            'synchronousCommit', current_setting('synchronous_commit'),
            'writesToDisk', current_setting('fsync')::boolean,
            'isEncrypted', coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
            'role', current_user,
            'isSuperuser', (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
            'mayCreateSchemas', has_database_privilege(current_database(), 'CREATE'),
            'ownsSchema', (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE oid = to_regnamespace(s.name)),
            'tables', (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(s.name) AND relkind IN ('r', 'p')),
            'hasStore', to_regclass(s.name || '.\(PostgreSQLStoreTable.name)') IS NOT NULL,
            'hasTrigrams', EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')
        )::text FROM (SELECT ?::text AS name) AS s
        """
}

extension EngineError {
    /// Indicates whether the server answers and refuses the settings of the address, so that a later attempt fails too.
    package var isRefusal: Bool { code.map(PostgreSQLRefusal.lasting.contains) ?? false }
}

/// A reason for which no connection to a server is made, recognized in the message of libpq.
///
/// libpq passes on no code of the server for a connection. A server with another language than English is not recognized; its
/// message stands alone then.
enum PostgreSQLRefusal: CaseIterable {
    // The order matters: the messages of the first ones name the role and the database, too.
    case password, admission, connectionLimit, role, database, starting, certificate, name, unreachable

    /// The codes of the refusals that a later attempt meets too.
    fileprivate static let lasting = Set([Self.password, .role, .database, .admission].compactMap(\.code))

    /// Returns the error for a message of libpq.
    static func error(_ message: String, connectingTo address: PostgreSQLAddress) -> EngineError {
        let refusal = allCases.first { $0.signs.contains { message.contains($0) } }
        let said = message.trimmingCharacters(in: CharacterSet(charactersIn: " .?"))
        return EngineError(
            kind: .cannotOpen, code: refusal?.code,
            message: refusal.map { "\($0.reason) The server or libpq says: \(said)" } ?? said,
            operation: "connect to \(address)")
    }

    private var signs: [String] {
        switch self {
        case .password: ["password authentication failed", "no password supplied"]
        case .role: ["role \""]
        case .database: ["database \""]
        case .admission: ["no pg_hba.conf entry", "pg_hba.conf rejects"]
        case .connectionLimit: ["too many connections", "too many clients", "remaining connection slots"]
        case .starting: ["is starting up", "is shutting down", "recovery mode", "not yet accepting"]
        case .certificate: ["certificate", "does not support SSL", "SSL error"]
        case .name: ["could not translate host name"]
        case .unreachable: ["Connection refused", "timeout expired", "timed out", "No route to host", "No such file"]
        }
    }

    private var code: String? {
        switch self {
        case .password: "PostgreSQL code 28P01"
        case .role, .admission: "PostgreSQL code 28000"
        case .database: "PostgreSQL code 3D000"
        case .connectionLimit: "PostgreSQL code 53300"
        case .starting: "PostgreSQL code 57P03"
        case .certificate, .name, .unreachable: nil
        }
    }

    private var reason: String {
        switch self {
        case .password:
            "the password is wrong or missing: write the role's password to the file that "
                + "\(PostgreSQLAddress.passwordFileVariable) names, or to ~/.pgpass."
        case .role:
            "the role of the address does not exist or may not connect: correct the address, or create the role."
        case .database:
            "the database of the address does not exist or may not be used: correct the address, or create it."
        case .admission: "the server does not admit this host: add it to pg_hba.conf, and use TLS if that asks for it."
        case .connectionLimit:
            "the server, database or role has no connection left: raise the limit, or serve with fewer --workers."
        case .starting: "the server starts or stops: try again in a moment."
        case .certificate:
            "TLS cannot be used as the address asks: check sslmode, sslrootcert and the server's certificate."
        case .name: "the host of the address is not known: correct it, or the name server."
        case .unreachable:
            "the server cannot be reached: check the host and port, the network, and that PostgreSQL runs."
        }
    }
}
