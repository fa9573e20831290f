import AviaryDomain
import Foundation

extension DeploymentCheck {
    /// In days.
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
