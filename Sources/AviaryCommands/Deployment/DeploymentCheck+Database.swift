import AviaryAdmin
import AviaryDomain

extension DeploymentCheck {
    /// The number of connections below which the check warns: a server with a store process and four workers needs as many.
    static let leastConnections = 40
    /// The version of PostgreSQL below which the check warns, because its developers do not correct it any more.
    static let leastSupportedVersion = 14

    var database: [Finding] {
        guard let database = facts.database else { return [] }
        return [connection(to: database)] + (facts.databaseReport.map(server) ?? [])
    }

    private func connection(to database: DatabaseAddress) -> Finding {
        let hosts = database.hosts.isEmpty ? "this machine" : TextFormatter.list(database.hosts)
        let name = "The store is in the database \(database.name ?? "of the user’s name") on \(hosts)."
        guard !database.isLocal else { return .ok("database-tls", name + " No other machine carries the connection.") }
        guard database.verifiesServer else {
            return .danger(
                "database-tls",
                name
                    + " The connection does not verify that it is this server: passwords and records can be read on the way.",
                "Add sslmode=verify-full to the address, and sslrootcert if the authority is your own.")
        }
        return .ok("database-tls", name + " TLS verifies it.")
    }

    private func server(_ report: DatabaseReport) -> [Finding] {
        [version(of: report), durability(of: report), replication(of: report), role(in: report), limit(of: report)]
            + hosts + (report.hasTrigrams ? [] : [Self.trigrams])
    }

    private func version(of report: DatabaseReport) -> Finding {
        if report.isReplica {
            return .danger(
                "database-server", "The server is \(report.words), which takes no changes.",
                "Name the hosts of all servers in the address, and add target_session_attrs=read-write.")
        }
        guard let major = report.version.split(separator: ".").first.flatMap({ Int($0) }),
            major < Self.leastSupportedVersion
        else { return .ok("database-server", "The server is \(report.words).") }
        return .danger(
            "database-server", "The server is \(report.words), and version 14 or newer is needed.",
            "Upgrade the server.")
    }

    private func durability(of report: DatabaseReport) -> Finding {
        guard report.writesToDisk else {
            return .danger(
                "database-durability",
                "The server does not write commits to its disk (fsync = off): a crash loses them.",
                "ALTER SYSTEM SET fsync = on, and restart the server.")
        }
        // The store asks for more where the setting is too weak.
        guard !["off", "local"].contains(report.synchronousCommit) else {
            return .warning(
                "database-durability",
                "The role’s synchronous_commit is \(report.synchronousCommit). The store sets it to on for itself.",
                "ALTER ROLE \(report.role) RESET synchronous_commit, so that other programs do not lose commits either."
            )
        }
        return .ok("database-durability", "A commit is on the server’s disk before it is acknowledged.")
    }

    private func replication(of report: DatabaseReport) -> Finding {
        guard report.synchronousReplicas.isEmpty else {
            return .ok("database-replication", "A commit waits for a replica: \(report.synchronousReplicas).")
        }
        return .warning(
            "database-replication",
            "No commit waits for a replica: the loss of the server loses what it has acknowledged.",
            "Set synchronous_standby_names, as deploy/patroni does; or back up often, and know what that loses.")
    }

    private func role(in report: DatabaseReport) -> Finding {
        if report.isSuperuser {
            return .danger(
                "database-role",
                "The role \(report.role) is a superuser: whoever takes over the program has the whole server.",
                "Use a role that owns the database, and nothing else: CREATE ROLE aviary LOGIN.")
        }
        if report.ownsSchema == false {
            return .danger(
                "database-role",
                "The role \(report.role) does not own the store’s schema, and cannot migrate or restore it.",
                "ALTER SCHEMA aviary OWNER TO \(report.role), and its tables too.")
        }
        guard report.mayCreateSchemas else {
            return .danger(
                "database-role",
                "The role \(report.role) may not create schemas, which a new store and each restore need.",
                "GRANT CREATE ON DATABASE \(facts.database?.name ?? "…") TO \(report.role)")
        }
        return .ok("database-role", "The role \(report.role) owns the store, and is no superuser.")
    }

    private func limit(of report: DatabaseReport) -> Finding {
        let advice = "Raise the limit, or lower --workers. docs/postgresql.md says how many connections a server needs."
        if let limit = report.ownConnectionLimit, limit < Self.leastConnections {
            return .warning(
                "database-connections", "The role or the database is limited to \(limit) connections.", advice)
        }
        guard report.connectionsLeft >= Self.leastConnections else {
            return .warning(
                "database-connections",
                "The server has \(report.connectionsLeft) of \(report.connectionLimit) connections left.", advice)
        }
        return .ok(
            "database-connections",
            "The server has \(report.connectionsLeft) of \(report.connectionLimit) connections left.")
    }

    /// The findings about an address of several hosts.
    private var hosts: [Finding] {
        guard let database = facts.database, database.hosts.count > 1,
            !["read-write", "primary"].contains(database.settings["target_session_attrs"])
        else { return [] }
        return [
            .warning(
                "database-hosts",
                "The address names several servers, and not that the one that takes changes is meant.",
                "Add target_session_attrs=read-write to the address.")
        ]
    }

    private static let trigrams = Finding.danger(
        "database-extension", "The server lacks the extension pg_trgm, which searches need.",
        "Install PostgreSQL’s contrib package, on Debian: apt install postgresql-contrib")
}
