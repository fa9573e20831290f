import AviaryDomain
import Foundation

/// Judges how a data directory is, or is to be, served.
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

    /// What has to be right wherever the program runs.
    var basics: [Finding] {
        [Finding.ok("declaration", "The models, the admin and the roles are declared without a mistake.")]
            + directory + keyFiles + store
    }

    /// What has to be right, too, before others reach it.
    var deployment: [Finding] {
        superuser + address + proxies + metrics + accounts + keyAge + backups + fileCheck
    }

    /// With which nobody should serve others.
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

/// Why `serve` does not serve others.
struct DeploymentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    let dangers: [Finding]

    var description: String {
        "What others could reach is not safe to serve:\n"
            + dangers.map { "  - \($0.text) \($0.advice ?? "")" }.joined(separator: "\n")
    }
}
