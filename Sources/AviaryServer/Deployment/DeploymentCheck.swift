import AviaryDomain
import Foundation

/// The check of the settings with which a data directory is, or will be, served.
///
/// ```swift
/// let facts = await DeploymentFacts(of: app, data: path, host: host, settings: settings, metricsPort: nil)
/// let dangers = DeploymentCheck(facts).dangers
/// guard dangers.isEmpty else { throw DeploymentRefusal(dangers: dangers) }
/// ```
struct DeploymentCheck: Sendable {
    let facts: DeploymentFacts

    init(_ facts: DeploymentFacts) {
        self.facts = facts
    }

    /// The findings that matter wherever the program runs.
    var basics: [Finding] {
        [Finding.ok("declaration", "The models, the admin and the roles are declared without a mistake.")]
            + directory + keyFiles + store
    }

    /// The additional findings that matter if other machines can reach the server.
    var deployment: [Finding] {
        superuser + address + proxies + metrics + accounts + keyAge + backups + fileCheck
    }

    /// The findings that prevent `serve` from serving other machines.
    var dangers: [Finding] { (basics + deployment).filter { $0.level == .danger } }

    private var keyFiles: [Finding] {
        if let problem = facts.keysProblem {
            return [
                .danger(
                    "keys", "The keys cannot be read: \(problem)",
                    "Let \(facts.dataPath)/keys belong to the user that serves.")
            ]
        }
        let damaged = facts.keys.filter { $0.use == .damaged }
        if !damaged.isEmpty {
            return damaged.map { key in
                .danger(
                    "keys", "The key \(key.id) cannot be read.",
                    "Restore \(facts.dataPath)/keys/\(key.id).key from its backup, or remove it: what it sealed is then lost."
                )
            }
        }
        return [
            .ok(
                "keys",
                facts.keys.isEmpty ? "There are no keys yet: the first start makes one." : "The keys can be read.")
        ]
    }

    private var store: [Finding] {
        guard facts.hasStore else { return [.ok("store", "There is no store yet: the first start makes it.")] }
        if let problem = facts.storeProblem {
            return [
                .danger(
                    "store", "The store cannot be opened: \(problem)",
                    "Check the file's owner, or restore the last backup.")
            ]
        }
        let command = "\(facts.commandName) migrate --dry-run --data \(facts.dataPath)"
        return [.ok("store", "The store can be opened and read.")]
            + (facts.migration.map { migration in
                switch migration.change {
                case .none: [.ok("migration", "The store fits the program's models.")]
                case .additive, .exclusive:
                    [
                        .warning(
                            "migration", "The store has to be migrated: \(Words.list(migration.steps)).",
                            "The next start does it. See beforehand what it would do: \(command)"
                        )
                    ]
                case .refused:
                    [
                        .danger(
                            "migration",
                            "The store cannot be made to fit the program's models: \(migration.reason ?? "")",
                            "See \(command)"
                        )
                    ]
                }
            } ?? [])
    }
}

/// The error of `serve` for settings that are not safe to serve.
struct DeploymentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    let dangers: [Finding]

    var description: String {
        "What others could reach is not safe to serve:\n"
            + dangers.map { "  - \($0.text) \($0.advice ?? "")" }.joined(separator: "\n")
    }
}

/// One result of `check`, with advice.
struct Finding: Sendable, Hashable, Encodable {
    enum Level: String, Sendable, Encodable {
        case ok
        /// The setting deserves attention, but may be intended.
        case warning
        /// The setting is not safe for a server that others can reach.
        case danger
    }

    /// The name of the check, which programs can rely on.
    let check: String
    let level: Level
    let text: String
    /// The next step, or nil if none is needed.
    let advice: String?

    static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, level: .ok, text: text, advice: nil)
    }

    static func warning(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, level: .warning, text: text, advice: advice)
    }

    static func danger(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, level: .danger, text: text, advice: advice)
    }
}

extension DeploymentCheck {
    /// The age of the last backup, in days, above which the check warns. `mostKeyAge` is the same for keys.
    static let mostBackupAge = 7
    static let mostKeyAge = 365

    var accounts: [Finding] {
        guard let people = facts.people else {
            return [
                .danger(
                    "accounts", "The accounts cannot be read.",
                    "See what is told of the store above; an older store gets them when it is migrated."
                )
            ]
        }
        let command = "\(facts.commandName) user"
        guard !people.isEmpty else {
            return [
                .danger(
                    "accounts",
                    "There are no accounts, so the first who finds the link that the server prints makes the first.",
                    "Make one: \(command) add NAME --role admin --data \(facts.dataPath)"
                )
            ]
        }
        var findings: [Finding] = []
        let active = people.filter { !$0.isDisabled }
        let admins = active.filter { person in facts.roles.first { $0.name == person.role }?.allows(.accounts) == true }
        if admins.isEmpty {
            findings.append(
                .warning(
                    "admins", "Nobody may manage accounts.",
                    "Give somebody the role: \(command) role NAME --role admin --data \(facts.dataPath)"
                ))
        }
        let owing = active.filter { !$0.hasSecondFactor && mustHaveSecondFactor($0) }.map(\.name)
        if !owing.isEmpty {
            findings.append(
                .warning(
                    "second-factor",
                    "\(Words.list(owing)) \(owing.count == 1 ? "has" : "have") a role that requires a second factor, and none yet: "
                        + "whoever has the password sets it up.",
                    "Let the owner sign in and set one up, or disable the account: \(command) disable NAME --data \(facts.dataPath)"
                ))
        }
        let single = admins.filter { !$0.hasSecondFactor && !mustHaveSecondFactor($0) }.map(\.name)
        if !single.isEmpty {
            findings.append(
                .warning(
                    "second-factor",
                    "\(Words.list(single)) may manage accounts and \(single.count == 1 ? "has" : "have") no second factor.",
                    "Set one up on the page of one's own account, /admin/account. The program can require it of a role: "
                        + ".requiringSecondFactor()."
                ))
        }
        for person in active where !facts.roles.contains(where: { $0.name == person.role }) {
            findings.append(
                .warning(
                    "roles",
                    "\(person.name) has the role \"\(person.role)\", which the program does not have: it allows nothing.",
                    "Give another: \(command) role \(person.name) --role viewer --data \(facts.dataPath)"
                ))
        }
        return [.ok("accounts", "There are accounts: nobody gets in without signing in.")] + findings
    }

    private func mustHaveSecondFactor(_ person: DeploymentFacts.Person) -> Bool {
        facts.roles.first { $0.name == person.role }?.requiresSecondFactor == true
    }

    var keyAge: [Finding] {
        guard let used = facts.keys.first(where: { $0.use == .used }) else { return [] }
        let days = Int(facts.now.timeIntervalSince(used.created) / 86_400)
        guard days > Self.mostKeyAge else { return [.ok("key-age", "The key that seals is not older than a year.")] }
        return [
            .warning(
                "key-age", "The key that seals is \(Words.grouped(days)) days old.",
                "\(facts.commandName) keys rotate --data \(facts.dataPath)"
            )
        ]
    }

    var backups: [Finding] {
        guard facts.hasStore else { return [] }
        let advice =
            "\(facts.commandName) backup --data \(facts.dataPath); deploy/RUNBOOK.md tells how to do it every day."
        guard let last = facts.lastBackup else { return [.warning("backup", "No backup is known.", advice)] }
        let days = Int(facts.now.timeIntervalSince(last) / 86_400)
        guard days > Self.mostBackupAge else { return [.ok("backup", "The last backup is of \(last.rfc3339 ?? "").")] }
        return [.warning("backup", "The last backup is \(Words.grouped(days)) days old.", advice)]
    }

    var fileCheck: [Finding] {
        guard case .damaged = facts.fileCheck else { return [] }
        return [
            .danger(
                "file-check", "The store's file is damaged.",
                "Take a backup now: \(facts.commandName) backup --prove --data \(facts.dataPath). Then stop the server and run "
                    + "\(facts.commandName) repair --data \(facts.dataPath). status tells what was found."
            )
        ]
    }
}

extension DeploymentCheck {
    var directory: [Finding] {
        guard facts.directoryExists else {
            return [
                .warning(
                    "data-directory", "The data directory \(facts.dataPath) does not exist yet.",
                    "The first start makes it, for its user alone. If it should be there, name it with --data."
                )
            ]
        }
        guard let whole = facts.files.first else {
            return [
                .danger(
                    "data-directory", "The data directory \(facts.dataPath) cannot be looked at.",
                    "Run this as the user that serves."
                )
            ]
        }
        var findings: [Finding] = []
        if !whole.isPrivate {
            findings.append(
                .danger(
                    "data-directory",
                    "Others than its owner may get into \(whole.path): its mode is \(Self.octal(whole)).",
                    "chmod 700 \(whole.path)"
                ))
        }
        let foreign = facts.files.filter { !$0.isOurs }
        if let first = foreign.first {
            findings.append(
                .danger(
                    "owner", "\(first.path)\(Self.others(foreign.count - 1)) belongs to another user than this one.",
                    "Run this as the user that serves, or: chown -R USER \(whole.path)"
                ))
        }
        let open = facts.files.dropFirst().filter { !$0.isPrivate }
        if let first = open.first {
            let text =
                "Others may get at \(first.path)\(Self.others(open.count - 1)): its mode is \(Self.octal(first))."
            let advice = "chmod -R go= \(whole.path)"
            // While the directory is private, others cannot reach its files, but a change of the directory's mode
            // alone would expose them.
            findings.append(whole.isPrivate ? .warning("files", text, advice) : .danger("files", text, advice))
        }
        return findings.isEmpty ? [.ok("data-directory", "The data directory belongs to this user alone.")] : findings
    }

    private static func octal(_ file: DeploymentFacts.PrivateFile) -> String {
        "0" + String(file.permissions & 0o7777, radix: 8)
    }

    private static func others(_ count: Int) -> String {
        count == 0 ? "" : " and \(count) more"
    }
}
