import AviaryDesign
import AviaryDomain
import Foundation

/// Says how the store fares to those who run it.
struct HealthWords {
    let health: StoreHealth
    let now: Date

    var panel: Panel {
        Panel(title: "Health", facts: [
            Fact("Store", store), Fact("File", file), Fact("Size", Self.size(health.size)), Fact("Last backup", backup),
        ], actions: [.link(title: "Backups", href: ModelPaths.admin + "/backups")])
    }

    private var store: String {
        guard let store = health.store else { return "Does not answer. What is stored can be read, and nothing can be saved." }
        return store.waiting == 0 ? "Answers, nothing waits" : "Answers, \(Words.grouped(store.waiting)) \(store.waiting == 1 ? "write waits" : "writes wait")"
    }

    private var file: String {
        switch health.store?.fileCheck {
        case nil: "Not known"
        case .notNeeded: "Was closed in good order"
        case .running: "Is being checked, because it was not closed in good order"
        case .ok(let time): "Was not closed in good order; checked and found good \(DateWords.age(of: time, at: now))"
        case .damaged(let lines, _): "DAMAGED. Restore the last backup. " + lines.prefix(3).joined(separator: "; ")
        case .unfinished(let reason): "The check was not finished: \(reason)"
        }
    }

    private var backup: String {
        let last = health.lastBackup.map { backup in
            "\(Words.capitalized(DateWords.age(of: backup.writtenAt, at: now))), \(Self.size(backup.size)): \(backup.name)"
        }
        return (last ?? "None in the data directory yet") + (health.backupWarning.map { ". \($0)" } ?? "")
    }

    /// `12.4 MiB`.
    static func size(_ bytes: Int) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var size = Double(bytes) / 1024, unit = 0
        while size >= 1000, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        let tenths = Int((size * 10).rounded())
        return size >= 100 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
