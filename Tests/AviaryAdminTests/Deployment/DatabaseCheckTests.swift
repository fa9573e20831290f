import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("The check of a deployment's database")
struct DatabaseCheckTests {
    private static let verified = "postgresql://aviary@db.example.org/zoo?sslmode=verify-full"

    private static func facts(_ address: String = verified) -> DeploymentEnvironment {
        var facts = DeploymentEnvironment(commandName: "zoo", dataPath: "/srv/zoo", now: Date())
        facts.database = DatabaseAddress(address)
        var report = DatabaseReport()
        report.version = "15.18"
        report.connectionLimit = 97
        report.synchronousReplicas = "ANY 1 (*)"
        report.synchronousCommit = "on"
        report.role = "aviary"
        facts.databaseReport = report
        return facts
    }

    @Test("A server that commits to two disks, for a role that owns the store, has no findings")
    func sound() {
        let findings = DeploymentCheck(Self.facts()).database
        #expect(findings.count >= 6 && findings.allSatisfy { $0.level == .ok && $0.advice == nil })
    }

    /// A change to a sound server, and the finding that must report it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: String
        let level: Finding.Level
        let change: @Sendable (inout DatabaseReport) -> Void

        init(
            _ name: String, _ check: String, _ level: Finding.Level,
            _ change: @escaping @Sendable (inout DatabaseReport) -> Void
        ) {
            testDescription = name
            self.check = check
            self.level = level
            self.change = change
        }
    }

    private static let faults = [
        Fault("a replica", "database-server", .danger) { $0.isReplica = true },
        Fault("an old version", "database-server", .danger) { $0.version = "13.9" },
        Fault("no flushes", "database-durability", .danger) { $0.writesToDisk = false },
        Fault("a weak role", "database-durability", .warning) { $0.synchronousCommit = "local" },
        Fault("no replica to wait for", "database-replication", .warning) { $0.synchronousReplicas = "" },
        Fault("a superuser", "database-role", .danger) { $0.isSuperuser = true },
        Fault("a schema of another role", "database-role", .danger) { $0.ownsSchema = false },
        Fault("no right to create schemas", "database-role", .danger) { $0.mayCreateSchemas = false },
        Fault("a full server", "database-connections", .warning) { $0.connections = 80 },
        Fault("a limited role", "database-connections", .warning) { $0.ownConnectionLimit = 10 },
        Fault("no trigrams", "database-extension", .danger) { $0.hasTrigrams = false },
    ]

    @Test("Each fault is the only finding, and says what to do", arguments: faults)
    func fault(fault: Fault) throws {
        var facts = Self.facts()
        var report = try #require(facts.databaseReport)
        fault.change(&report)
        facts.databaseReport = report
        let findings = DeploymentCheck(facts).database.filter { $0.level != .ok }
        #expect(findings.map(\.check) == [fault.check] && findings.first?.level == fault.level)
        #expect(findings.first?.advice?.isEmpty == false)
    }

    @Test("A connection over the network that verifies nobody is dangerous, and one on this machine is not")
    func verifies() {
        func level(_ address: String) -> Finding.Level? {
            DeploymentCheck(Self.facts(address)).database.first { $0.check == "database-tls" }?.level
        }
        #expect(level("postgresql://aviary@db.example.org/zoo") == .danger)
        #expect(level("postgresql://aviary@db.example.org/zoo?sslmode=require") == .danger)
        #expect(level("postgresql://aviary@localhost,db.example.org/zoo") == .danger)
        #expect(level("postgresql://aviary@127.0.0.1/zoo") == .ok)
        #expect(level("postgresql:///zoo") == .ok)
    }

    @Test("An address of several servers has to ask for the one that takes changes")
    func severalHosts() {
        func warns(_ address: String) -> Bool {
            DeploymentCheck(Self.facts(address)).database.contains { $0.check == "database-hosts" }
        }
        let address = "postgresql://aviary@db1,db2/zoo?sslmode=verify-full"
        #expect(warns(address) && !warns(address + "&target_session_attrs=read-write") && !warns(Self.verified))
    }

    @Test("A schema of another application is dangerous")
    func foreign() {
        var facts = Self.facts()
        facts.databaseReport?.tables = 3
        #expect(
            DeploymentCheck(facts).dangers.contains { $0.check == "store" && $0.text.contains("another application") })
        facts.databaseReport?.hasStore = true
        #expect(!DeploymentCheck(facts).dangers.contains { $0.check == "store" })
    }

    @Test("A store in a directory has no findings about a database")
    func file() {
        #expect(
            DeploymentCheck(DeploymentEnvironment(commandName: "zoo", dataPath: "/srv/zoo", now: Date())).database == []
        )
    }
}

@Suite("The database in the status")
struct DatabaseStatusTests {
    @Test("A server that does not answer is an alarm with its reason")
    func away() {
        let database = StatusReport.Database("postgresql:///zoo", .failure(StoreMoveError.noSource("the reason")))
        #expect(database.isAlarming && database.problem?.contains("the reason") == true)
        #expect(database.lines.count == 1)
    }

    @Test("The lines name the server’s role, connections and replicas, of which some are not visible")
    func server() {
        var report = DatabaseReport()
        report.version = "15.18"
        report.connections = 12
        report.connectionLimit = 97
        report.replicas = [
            .init(name: "db2", isSynchronous: true, lagBytes: 2048),
            .init(name: nil, isSynchronous: nil, lagBytes: nil),
        ]
        let lines = StatusReport.Database("postgresql:///zoo", .success(report)).lines.map { $0.compactMap(\.self) }
        #expect(lines[0].prefix(2) == ["PostgreSQL 15.18, primary", "12 of 97 connections"])
        #expect(lines[1] == ["replica db2", "synchronous", "2.0 KiB behind"])
        #expect(lines[2] == ["replica without a visible name"])
    }

    @Test("A replica is an alarm, because it takes no changes")
    func replica() {
        var report = DatabaseReport()
        report.isReplica = true
        #expect(StatusReport.Database("postgresql:///zoo", .success(report)).isAlarming)
        report.isReplica = false
        #expect(!StatusReport.Database("postgresql:///zoo", .success(report)).isAlarming)
    }
}
