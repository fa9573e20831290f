import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands
@testable import AviaryHTTP

@Suite("Deployment check findings")
struct DeploymentCheckTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns the facts of a correct deployment.
    private static func sound() throws -> DeploymentEnvironment {
        var facts = DeploymentEnvironment(commandName: "zoo", dataPath: "/srv/zoo", now: now)
        facts.settings.publicURL = try PublicURL("https://zoo.example.org")
        facts.settings.trustedProxies = [try AddressRange("127.0.0.1")]
        facts.directoryExists = true
        facts.hasStore = true
        facts.files = [
            .init(path: "/srv/zoo", permissions: 0o700, isOurs: true),
            .init(path: "/srv/zoo/store.sqlite", permissions: 0o600, isOurs: true),
        ]
        facts.people = [.init(name: "ada", role: "admin", isDisabled: false, hasSecondFactor: true)]
        facts.roles = [.viewer, .editor, .admin]
        facts.keys = [key(daysAgo: 100)]
        facts.lastBackup = now.addingTimeInterval(-86_400)
        facts.migration = MigrationReport(change: .none, steps: [], reasons: [])
        return facts
    }

    private static func key(daysAgo days: Int) -> KeyReport {
        let id = KeyID(at: now.addingTimeInterval(-Double(days) * 86_400))
        return KeyReport(id, in: KeySchedule([id]), at: now)
    }

    @Test("A correct deployment has no findings")
    func clean() throws {
        let check = DeploymentCheck(try Self.sound())
        #expect((check.basics + check.deployment).filter { $0.level != .ok } == [])
        #expect(check.dangers == [])
    }

    /// A change that breaks a correct deployment, and the check that must report it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: String
        let level: Finding.Level
        let change: @Sendable (inout DeploymentEnvironment) throws -> Void

        init(
            _ name: String, _ check: String, _ level: Finding.Level,
            _ change: @escaping @Sendable (inout DeploymentEnvironment) throws -> Void
        ) {
            testDescription = name
            self.check = check
            self.level = level
            self.change = change
        }
    }

    private static let faults: [Fault] = [
        Fault("a role that cannot view what it edits", "declaration", .warning) {
            $0.roleWarnings = [RoleWarning(text: "A role", advice: "Let it view.")]
        },
        Fault("no TLS declared", "tls", .danger) { $0.settings.publicURL = nil },
        Fault("a public URL of this machine only", "tls", .danger) {
            $0.settings.publicURL = try PublicURL("http://localhost:8080")
        },
        Fault("no name to answer under", "allowed-host", .danger) { $0.settings.publicURL = nil },
        Fault("loopback as a further name", "allowed-host", .warning) {
            $0.settings.allowedHosts = [Authority(host: "localhost", port: nil)]
        },
        Fault("any address as a further name", "allowed-host", .warning) {
            $0.settings.allowedHosts = [Authority(host: "0.0.0.0", port: nil)]
        },
        Fault("every address trusted as a proxy", "trusted-proxy", .danger) {
            $0.settings.trustedProxies.append(try AddressRange("0.0.0.0/0"))
        },
        Fault("every IPv6 address trusted", "trusted-proxy", .danger) {
            $0.settings.trustedProxies = [try AddressRange("::/0")]
        },
        Fault("a wide range trusted", "trusted-proxy", .warning) {
            $0.settings.trustedProxies = [try AddressRange("10.0.0.0/8")]
        },
        Fault("two halves of all addresses trusted", "trusted-proxy", .danger) {
            $0.settings.trustedProxies = [try AddressRange("0.0.0.0/1"), try AddressRange("128.0.0.0/1")]
        },
        Fault("more than one organization has trusted", "trusted-proxy", .danger) {
            $0.settings.trustedProxies = [try AddressRange("10.0.0.0/7")]
        },
        Fault("more of IPv6 than one organization has trusted", "trusted-proxy", .danger) {
            $0.settings.trustedProxies = [try AddressRange("2000::/15")]
        },
        Fault("all unique local addresses of a site trusted", "trusted-proxy", .warning) {
            $0.settings.trustedProxies = [try AddressRange("fd00::/8")]
        },
        Fault("many ranges that hold most addresses", "trusted-proxy", .danger) {
            $0.settings.trustedProxies = try (0..<129).map { try AddressRange("\($0).0.0.0/8") }
        },
        Fault("many ranges that hold half of the addresses, and parts of them", "trusted-proxy", .warning) {
            $0.settings.trustedProxies = try (0..<128).flatMap {
                [try AddressRange("\($0).0.0.0/8"), try AddressRange("\($0).0.0.0/9")]
            }
        },
        Fault("no proxy trusted behind one", "trusted-proxy", .danger) { $0.settings.trustedProxies = [] },
        Fault("a wide range of IPv6 trusted", "trusted-proxy", .warning) {
            $0.settings.trustedProxies = [try AddressRange("2001::/16")]
        },
        Fault("listening to all", "host", .warning) { $0.host = "0.0.0.0" },
        Fault("listening to all of IPv6", "host", .warning) { $0.host = "::" },
        Fault("open metrics", "metrics", .danger) {
            $0.host = "192.0.2.7"; $0.metricsPort = 9464
        },
        Fault("root", "user", .warning) { $0.isSuperuser = true },
        Fault("a directory that others may read", "data-directory", .danger) {
            $0.files[0] = .init(path: "/srv/zoo", permissions: 0o755, isOurs: true)
        },
        Fault("a directory that the group may read", "data-directory", .danger) {
            $0.files[0] = .init(path: "/srv/zoo", permissions: 0o750, isOurs: true)
        },
        Fault("a file that others may read", "files", .warning) {
            $0.files[1] = .init(path: "/srv/zoo/store.sqlite", permissions: 0o644, isOurs: true)
        },
        Fault("a file that others reach", "files", .danger) {
            $0.files = [
                .init(path: "/srv/zoo", permissions: 0o711, isOurs: true),
                .init(path: "/srv/zoo/keys/a.key", permissions: 0o604, isOurs: true),
            ]
        },
        Fault("a file of another user", "owner", .danger) {
            $0.files.append(.init(path: "/srv/zoo/keys", permissions: 0o700, isOurs: false))
        },
        Fault("no data directory", "data-directory", .warning) { $0.directoryExists = false },
        Fault("a data directory that cannot be looked at", "data-directory", .danger) { $0.files = [] },
        Fault("no accounts", "accounts", .danger) { $0.people = [] },
        Fault("accounts that cannot be read", "accounts", .danger) { $0.people = nil },
        Fault("no admin", "admins", .warning) {
            $0.people = [.init(name: "eve", role: "editor", isDisabled: false, hasSecondFactor: true)]
        },
        Fault("a disabled admin alone", "admins", .warning) {
            $0.people = [.init(name: "ada", role: "admin", isDisabled: true, hasSecondFactor: true)]
        },
        Fault("an admin without a second factor", "second-factor", .warning) {
            $0.people?.append(.init(name: "bob", role: "admin", isDisabled: false, hasSecondFactor: false))
        },
        Fault("an account without the second factor of its role", "second-factor", .warning) {
            $0.roles.append(Role("clerk").requiringSecondFactor())
            $0.people?.append(.init(name: "bob", role: "clerk", isDisabled: false, hasSecondFactor: false))
        },
        Fault("a role that the program does not have", "roles", .warning) {
            $0.people?.append(.init(name: "bob", role: "keeper", isDisabled: false, hasSecondFactor: false))
        },
        Fault("no backup", "backup", .warning) { $0.lastBackup = nil },
        Fault("an old backup", "backup", .warning) { $0.lastBackup = now.addingTimeInterval(-8.1 * 86_400) },
        Fault("a damaged file", "file-check", .danger) { $0.fileCheck = .damaged(["row missing"], at: now) },
        Fault("an old key", "key-age", .warning) { $0.keys = [key(daysAgo: 400)] },
        Fault("a damaged key", "keys", .danger) { $0.keys.append(KeyReport(damaged: KeyID(seconds: 1))) },
        Fault("keys that cannot be read", "keys", .danger) { $0.keysProblem = "no permission" },
        Fault("a store that cannot be opened", "store", .danger) { $0.storeProblem = "no database" },
        Fault("a store to migrate", "migration", .warning) {
            $0.migration = MigrationReport(change: .additive, steps: ["add it"], reasons: [])
        },
        Fault("a store that does not fit", "migration", .danger) {
            $0.migration = MigrationReport(change: .refused, steps: [], reasons: ["lost"])
        },
    ]

    @Test("Each insecure setting is a danger or a warning with advice", arguments: faults)
    func named(fault: Fault) throws {
        var facts = try Self.sound()
        try fault.change(&facts)
        let check = DeploymentCheck(facts)
        let findings = (check.basics + check.deployment).filter { $0.check == fault.check && $0.level != .ok }
        #expect(findings.map(\.level).contains(fault.level), "\(findings)")
        #expect(findings.allSatisfy { $0.advice?.isEmpty == false })
        #expect(check.dangers.contains { $0.check == fault.check } == (fault.level == .danger))
    }

    @Test("One insecure setting does not affect unrelated checks", arguments: faults)
    func alone(fault: Fault) throws {
        var facts = try Self.sound()
        try fault.change(&facts)
        let check = DeploymentCheck(facts)
        let named = Set((check.basics + check.deployment).filter { $0.level != .ok }.map(\.check))
        // Without a public URL there is neither TLS nor a name. Opening the metrics or the directory opens more
        // than one thing.
        let together: [String: Set<String>] = [
            "tls": ["allowed-host"], "allowed-host": ["tls"], "metrics": ["host"], "files": ["data-directory"],
        ]
        #expect(named.subtracting([fault.check]).isSubset(of: together[fault.check] ?? []), "\(named)")
    }

    @Test("The error of a rejected deployment lists every danger with advice")
    func refusal() throws {
        var facts = try Self.sound()
        facts.people = []
        facts.settings.publicURL = nil
        let text = "\(DeploymentError(dangers: DeploymentCheck(facts).dangers))"
        #expect(text.contains("TLS is not configured") && text.contains("--public-url"))
        #expect(text.contains("There are no accounts") && text.contains("zoo user add"))
    }

    @Test(
        "Loopback addresses are distinguished from other addresses",
        arguments: [
            ("127.0.0.1", true), ("localhost", true), ("::1", true), ("127.9.9.9", true), ("0.0.0.0", false),
            ("::", false),
            ("192.0.2.7", false), ("zoo.example.org", false), ("", false),
        ])
    func loopback(host: String, isLoopback: Bool) {
        var facts = DeploymentEnvironment(commandName: "zoo", dataPath: "/srv/zoo", now: Self.now)
        facts.host = host
        #expect(facts.isLoopback == isLoopback)
    }
}

@Suite("Time of the last backup")
struct NewestSnapshotTests {
    @Test("A snapshot's age comes from its name, not from its modification date")
    func copied() throws {
        let directory = try TestDirectory()
        let data = directory.path("data")
        #expect(DependencyContainer.newestSnapshot(in: data) == nil)
        try FileManager.default.createDirectory(atPath: data + "/snapshots", withIntermediateDirectories: true)
        for name in ["Zoo-20200102T030405Z.jsonl.gz", "Zoo-20210102T030405Z-scheduled.jsonl.gz"] {
            try Data([1]).write(to: URL(filePath: data + "/snapshots/" + name))
        }
        #expect(DependencyContainer.newestSnapshot(in: data)?.rfc3339 == "2021-01-02T03:04:05.000Z")
    }
}
