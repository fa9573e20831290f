import AviaryAdmin
import AviaryDomain

extension StatusReport {
    /// The database that contains the store.
    struct Database: Encodable {
        /// A server that follows the database's own.
        struct Replica: Encodable {
            let name: String?
            let isSynchronous: Bool?
            /// The amount of log that the replica has not applied, in bytes.
            let lagBytes: Int?
        }

        let address: String
        /// The reason why the server does not answer; nil if it does.
        let problem: String?
        /// The version of the server, such as `15.18`.
        let version: String?
        /// The role of the server: `primary` or `replica`.
        let role: String?
        let connections: Int?
        let connectionLimit: Int?
        /// The size of the database, in bytes.
        let bytes: Int?
        let lastCommit: Int64?
        let replicas: [Replica]

        /// Asks the server; nil for a store in its data directory.
        init?(_ location: StoreLocation) async {
            guard let database = location.database else { return nil }
            let answer: Result<DatabaseReport?, any Error>
            do {
                answer = .success(try await location.inspectDatabase())
            } catch {
                answer = .failure(error)
            }
            self.init(database.text, answer)
        }

        init(_ address: String, _ answer: Result<DatabaseReport?, any Error>) {
            self.address = address
            var report: DatabaseReport?
            switch answer {
            case .success(let found): (report, problem) = (found, nil)
            case .failure(let error): problem = "\(error)"
            }
            version = report?.version
            role = report.map { $0.isReplica ? "replica" : "primary" }
            connections = report?.connections
            connectionLimit = report?.connectionLimit
            bytes = report?.size
            lastCommit = report?.lastCommit
            replicas = (report?.replicas ?? []).map {
                Replica(name: $0.name, isSynchronous: $0.isSynchronous, lagBytes: $0.lagBytes)
            }
        }

        /// Indicates whether the store cannot save: the server is away, or takes no changes.
        var isAlarming: Bool { problem != nil || role == "replica" }

        /// The lines of the report for a terminal, without the address.
        var lines: [[String?]] {
            if let problem { return [[problem]] }
            let server = [
                "PostgreSQL \(version ?? "")" + (role.map { ", \($0)" } ?? ""),
                "\(connections ?? 0) of \(connectionLimit ?? 0) connections", bytes.map(Amount.size),
            ]
            return [server]
                + replicas.map { replica in
                    [
                        "replica \(replica.name ?? "without a visible name")",
                        replica.isSynchronous.map { $0 ? "synchronous" : "asynchronous" },
                        replica.lagBytes.map { Amount.size($0) + " behind" },
                    ]
                }
        }
    }
}
