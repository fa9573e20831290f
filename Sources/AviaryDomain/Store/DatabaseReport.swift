/// The server that contains a store: what it is, how it is used, and what it promises.
package struct DatabaseReport: Sendable, Hashable, Codable {
    /// A server that follows the one of the report.
    package struct Replica: Sendable, Hashable, Codable {
        /// The name of the replica; nil if the role may not see it.
        package let name: String?
        /// Indicates whether a commit waits for the replica; nil if the role may not see it.
        package let isSynchronous: Bool?
        /// The amount of log that the replica has not applied, in bytes; nil if the role may not see it.
        package let lagBytes: Int?

        package init(name: String?, isSynchronous: Bool?, lagBytes: Int?) {
            self.name = name
            self.isSynchronous = isSynchronous
            self.lagBytes = lagBytes
        }
    }

    /// The version of the server, such as `15.18`.
    package var version = ""
    /// Indicates whether the server is a replica, which takes no changes.
    package var isReplica = false
    /// The connections of all clients to the server.
    package var connections = 0
    /// The largest number of connections that the server permits to ordinary roles.
    package var connectionLimit = 0
    /// The largest number of connections of the role or to the database; nil if neither has a limit.
    package var ownConnectionLimit: Int?
    /// The size of the database, in bytes.
    package var size = 0
    package var replicas: [Replica] = []
    /// The setting `synchronous_standby_names`; empty if commits wait for no replica.
    package var synchronousReplicas = ""
    /// The setting `synchronous_commit` of the role.
    package var synchronousCommit = ""
    /// Indicates whether the server writes commits to its disk (`fsync`).
    package var writesToDisk = true
    /// Indicates whether TLS protects the connection.
    package var isEncrypted = false
    /// The name of the role.
    package var role = ""
    package var isSuperuser = false
    /// Indicates whether the role may create schemas in the database.
    package var mayCreateSchemas = true
    /// Indicates whether the role owns the store's schema; nil if there is none.
    package var ownsSchema: Bool?
    /// The number of tables in the store's schema.
    package var tables = 0
    package var hasStore = false
    /// Indicates whether the database has the extension `pg_trgm`, or the server could add it.
    package var hasTrigrams = true
    /// The number of the last commit; nil without a store.
    package var lastCommit: Int64?

    package init() {}
}

extension DatabaseReport {
    /// Indicates whether the store's schema contains something other than a store.
    package var isForeign: Bool { tables > 0 && !hasStore }

    /// The server and its role in a sentence: `PostgreSQL 15.18, primary`.
    package var words: String {
        isReplica
            ? localized("PostgreSQL \(version), replica") : localized("PostgreSQL \(version), primary")
    }

    /// The number of connections that are left for the store.
    package var connectionsLeft: Int { max(0, connectionLimit - connections) }
}

/// The state of a store's database as of a moment ago.
package struct DatabaseState: Sendable, Hashable {
    /// The report; nil if the server does not answer.
    package let report: DatabaseReport?

    package init(report: DatabaseReport?) {
        self.report = report
    }

    /// Indicates whether the store can save.
    package var takesChanges: Bool { report?.isReplica == false }

    /// The state for operators.
    package var words: String {
        guard let report else { return localized("Not responding. Tell the administrator.") }
        guard !report.isReplica else {
            return report.words + ". " + localized("It takes no changes. Tell the administrator.")
        }
        let connections = localized(
            "\(TextFormatter.grouped(report.connections)) of \(TextFormatter.grouped(report.connectionLimit)) connections"
        )
        return "\(report.words), \(connections)"
    }
}
