import AviaryDesign
package import AviaryDomain
import Foundation

/// The health of the store as of a moment ago.
package struct StoreHealth: Sendable {
    /// The status that the store reports.
    package struct Store: Sendable {
        package let fileCheck: FileCheck
        /// The number of callers that wait for a commit.
        package let waiting: Int

        package init(fileCheck: FileCheck, waiting: Int) {
            self.fileCheck = fileCheck
            self.waiting = waiting
        }
    }

    /// The status; nil if the store does not respond.
    package let store: Store?
    /// The size in bytes of the store's file with its WAL, or of its database.
    package let size: Int
    /// The database; nil if the data directory contains the store.
    package let database: DatabaseState?
    /// The newest snapshot in the data directory.
    package let lastBackup: SnapshotFile?
    /// The warning about scheduled backups; nil if there is no problem.
    package let backupWarning: String?

    /// The state of the scheduled data checks; nil if the server makes none.
    package let dataCheck: DataCheckState?

    package init(
        store: Store?, size: Int, database: DatabaseState? = nil, lastBackup: SnapshotFile?,
        backupWarning: String? = nil, dataCheck: DataCheckState? = nil
    ) {
        self.database = database
        self.dataCheck = dataCheck
        self.store = store
        self.size = size
        self.lastBackup = lastBackup
        self.backupWarning = backupWarning
    }

    /// The time in seconds for which the health is cached.
    package static let lifetime = 5
}

/// The description of the store's health for its operators.
struct HealthPanelText {
    let health: StoreHealth
    let now: Date

    var panel: Panel {
        Panel(
            title: localized("Health"),
            facts: [
                Fact(localized("Store"), store),
                health.database.map { Fact(localized("Database"), $0.words) } ?? Fact(localized("File"), file),
                Fact(localized("Size"), TextFormatter.size(health.size)), Fact(localized("Last backup"), backup),
            ] + (health.dataCheck.map { [Fact(localized("Data"), data($0))] } ?? []),
            actions: [.link(title: localized("Backups"), href: ModelPaths.admin + "/backups")])
    }

    private var store: String {
        guard let store = health.store else {
            return localized("Not responding. Records can be read but not saved.")
        }
        return store.waiting == 0
            ? localized("Running, queue empty")
            : localized(store.waiting, one: "Running, 1 write queued", other: "Running, \(store.waiting) writes queued")
    }

    private var file: String {
        switch health.store?.fileCheck {
        case nil: localized("Unknown")
        case .notNeeded: localized("No problems")
        case .running: localized("Integrity check running")
        case .ok(let time):
            localized("Check passed \(DateTextFormatter.age(of: time, at: now))")
        case .damaged(let lines, _):
            localized("Damaged. Create a backup now, then repair the store.") + " "
                + lines.prefix(3).joined(separator: "; ")
        case .unfinished(let reason): localized("The integrity check didn’t finish: \(reason)")
        }
    }

    private func data(_ state: DataCheckState) -> String {
        if let warning = state.warning { return warning + " " + localized("Tell the administrator.") }
        guard let last = state.last else { return localized("Not checked yet") }
        return localized("Check passed \(DateTextFormatter.age(of: last.endedAt, at: now))")
    }

    private var backup: String {
        let last = health.lastBackup.map { backup in
            localized(
                "\(TextFormatter.capitalized(DateTextFormatter.age(of: backup.takenAt, at: now))), \(TextFormatter.size(backup.size)): \(backup.name)"
            )
        }
        return (last ?? localized("None in the data directory yet")) + (health.backupWarning.map { ". \($0)" } ?? "")
    }
}
