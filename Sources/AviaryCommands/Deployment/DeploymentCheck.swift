import AviaryAdmin
import AviaryDomain
import Foundation

/// The check of the settings with which a data directory is, or will be, served.
///
/// ```swift
/// let facts = await DeploymentEnvironment(of: app, at: location, host: host, settings: settings, metricsPort: nil)
/// let dangers = DeploymentCheck(facts).dangers
/// guard dangers.isEmpty else { throw DeploymentError(dangers: dangers) }
/// ```
struct DeploymentCheck: Sendable {
    let facts: DeploymentEnvironment

    init(_ facts: DeploymentEnvironment) {
        self.facts = facts
    }

    /// The findings that matter wherever the program runs.
    var basics: [Finding] {
        [Finding.ok("declaration", "The models, the admin and the roles are valid.")]
            + facts.roleWarnings.map { .warning("declaration", $0.text, $0.advice) } + directory + keyFiles + store
    }

    /// The additional findings that matter if other machines can reach the server.
    var deployment: [Finding] {
        superuser + address + database + proxies + metrics + accounts + keyAge + backups + fileCheck
    }

    /// The findings that prevent `serve` from serving other machines.
    var dangers: [Finding] { (basics + deployment).filter { $0.level == .danger } }

    private var keyFiles: [Finding] {
        if let problem = facts.keysProblem {
            return [
                .danger(
                    "keys", "The keys can’t be read: \(problem)",
                    "Make the user that serves the owner of \(facts.dataPath)/keys.")
            ]
        }
        let damaged = facts.keys.filter { $0.use == .damaged }
        if !damaged.isEmpty {
            return damaged.map { key in
                .danger(
                    "keys", "The key \(key.id) can’t be read.",
                    "Restore \(facts.dataPath)/keys/\(key.id).key from its backup, or remove it. Data sealed with it is then lost."
                )
            }
        }
        return [
            .ok(
                "keys",
                facts.keys.isEmpty ? "There are no keys yet. The first start creates one." : "The keys can be read.")
        ]
    }

    private var store: [Finding] {
        if let report = facts.databaseReport, report.isForeign {
            return [
                .danger(
                    "store", "The schema aviary of the database is of another application.",
                    "Choose another database with --database, or move away what is there.")
            ]
        }
        guard facts.hasStore else { return [.ok("store", "There is no store yet. The first start creates it.")] }
        if let problem = facts.storeProblem {
            return [
                .danger(
                    "store", "The store can’t be opened: \(problem)",
                    facts.database.map { "Check the server, the role and its password: psql \"\($0.text)\"" }
                        ?? "Check the file's owner, or restore the last backup.")
            ]
        }
        let command = "\(facts.commandName) migrate --dry-run \(facts.flags)"
        return [.ok("store", "The store can be opened and read.")]
            + (facts.migration.map { migration in
                switch migration.change {
                case .none: [.ok("migration", "The store matches the program’s models.")]
                case .additive, .exclusive:
                    [
                        .warning(
                            "migration", "The store needs a migration: \(TextFormatter.list(migration.steps)).",
                            "The next start migrates it. Preview: \(command)"
                        )
                    ]
                case .refused:
                    [
                        .danger(
                            "migration",
                            "The store can’t be migrated to the program’s models: \(migration.reason ?? "")",
                            "See \(command)"
                        )
                    ]
                }
            } ?? [])
    }
}

/// The error of `serve` for settings that are not safe to serve.
struct DeploymentError: Error, Sendable, Hashable, CustomStringConvertible {
    let dangers: [Finding]

    var description: String {
        "Not started: these settings are unsafe when others can reach the server:\n"
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
                    "accounts", "The accounts can’t be read.",
                    "See the finding about the store above. An older store gets accounts when it is migrated."
                )
            ]
        }
        let command = "\(facts.commandName) user"
        guard !people.isEmpty else {
            return [
                .danger(
                    "accounts",
                    "There are no accounts. Anyone with the link that the server prints can create the first one.",
                    "Create one: \(command) add NAME --role admin \(facts.flags)"
                )
            ]
        }
        var findings: [Finding] = []
        let active = people.filter { !$0.isDisabled }
        let admins = active.filter { person in facts.roles.first { $0.name == person.role }?.allows(.accounts) == true }
        if admins.isEmpty {
            findings.append(
                .warning(
                    "admins", "No account can manage accounts.",
                    "Give an account the role admin: \(command) role NAME --role admin \(facts.flags)"
                ))
        }
        let owing = active.filter { !$0.hasSecondFactor && mustHaveSecondFactor($0) }.map(\.name)
        if !owing.isEmpty {
            findings.append(
                .warning(
                    "second-factor",
                    "\(TextFormatter.list(owing)) \(owing.count == 1 ? "has" : "have") a role that requires two-factor authentication, but not set it up: "
                        + "anyone with the password can.",
                    "Ask the owner to sign in and set it up, or disable the account: \(command) disable NAME \(facts.flags)"
                ))
        }
        let single = admins.filter { !$0.hasSecondFactor && !mustHaveSecondFactor($0) }.map(\.name)
        if !single.isEmpty {
            findings.append(
                .warning(
                    "second-factor",
                    "\(TextFormatter.list(single)) can manage accounts without two-factor authentication.",
                    "Set it up on the account page, /admin/account. A program can require it for a role: "
                        + ".requiringSecondFactor()."
                ))
        }
        for person in active where !facts.roles.contains(where: { $0.name == person.role }) {
            findings.append(
                .warning(
                    "roles",
                    "\(person.name) has the role \"\(person.role)\", which the program doesn’t have and which allows nothing.",
                    "Give the account another role: \(command) role \(person.name) --role viewer \(facts.flags)"
                ))
        }
        return [.ok("accounts", "There are accounts. Access requires signing in.")] + findings
    }

    private func mustHaveSecondFactor(_ person: DeploymentEnvironment.Person) -> Bool {
        facts.roles.first { $0.name == person.role }?.requiresSecondFactor == true
    }

    var keyAge: [Finding] {
        guard let used = facts.keys.first(where: { $0.use == .used }) else { return [] }
        let days = Int(facts.now.timeIntervalSince(used.created) / 86_400)
        guard days > Self.mostKeyAge else { return [.ok("key-age", "The current key is at most one year old.")] }
        return [
            .warning(
                "key-age", "The current key is \(TextFormatter.grouped(days)) days old.",
                "\(facts.commandName) keys rotate \(facts.flags)"
            )
        ]
    }

    var backups: [Finding] {
        guard facts.hasStore else { return [] }
        let advice =
            "\(facts.commandName) backup \(facts.flags); deploy/RUNBOOK.md describes daily backups."
        guard let last = facts.lastBackup else { return [.warning("backup", "No backup found.", advice)] }
        let days = Int(facts.now.timeIntervalSince(last) / 86_400)
        guard days > Self.mostBackupAge else {
            return [.ok("backup", "The last backup is from \(last.rfc3339 ?? "").")]
        }
        return [.warning("backup", "The last backup is \(TextFormatter.grouped(days)) days old.", advice)]
    }

    var fileCheck: [Finding] {
        guard case .damaged = facts.fileCheck else { return [] }
        return [
            .danger(
                "file-check", "The store's file is damaged.",
                "Take a backup now: \(facts.commandName) backup --prove \(facts.flags). Then stop the server and run "
                    + "\(facts.commandName) repair \(facts.flags). The status command shows the problems."
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
                    "The first start creates it, readable by its user only. If it already exists elsewhere, use --data."
                )
            ]
        }
        guard let whole = facts.files.first else {
            return [
                .danger(
                    "data-directory", "The data directory \(facts.dataPath) can’t be read.",
                    "Run this command as the user that serves."
                )
            ]
        }
        var findings: [Finding] = []
        if !whole.isPrivate {
            findings.append(
                .danger(
                    "data-directory",
                    "Other users can access \(whole.path): its mode is \(Self.octal(whole)).",
                    "chmod 700 \(whole.path)"
                ))
        }
        let foreign = facts.files.filter { !$0.isOurs }
        if let first = foreign.first {
            findings.append(
                .danger(
                    "owner", "\(first.path)\(Self.others(foreign.count - 1)) belongs to another user.",
                    "Run this command as the user that serves, or: chown -R USER \(whole.path)"
                ))
        }
        let open = facts.files.dropFirst().filter { !$0.isPrivate }
        if let first = open.first {
            let text =
                "Other users can access \(first.path)\(Self.others(open.count - 1)): its mode is \(Self.octal(first))."
            let advice = "chmod -R go= \(whole.path)"
            // While the directory is private, others cannot reach its files, but a change of the directory's mode
            // alone would expose them.
            findings.append(whole.isPrivate ? .warning("files", text, advice) : .danger("files", text, advice))
        }
        return findings.isEmpty ? [.ok("data-directory", "The data directory belongs to this user only.")] : findings
    }

    private static func octal(_ file: DeploymentEnvironment.PrivateFile) -> String {
        "0" + String(file.permissions & 0o7777, radix: 8)
    }

    private static func others(_ count: Int) -> String {
        count == 0 ? "" : " and \(count) more"
    }
}
