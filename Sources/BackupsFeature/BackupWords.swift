import AviaryDesign
import AviaryDomain
import Foundation

/// How backups are told of.
enum BackupWords {
    static func time(_ date: Date) -> String { date.rfc3339.map(DateWords.dateAndTime) ?? "" }

    static func origin(_ origin: SnapshotFile.Origin) -> String {
        switch origin {
        case .manual: localized("a person")
        case .scheduled: localized("the server")
        case .beforeRestore: localized("a restore, of what it replaced")
        case .uploaded: localized("upload")
        }
    }

    /// The history, events and receipts that a backup has.
    static func log(of snapshot: SnapshotSummary) -> [Fact] {
        guard let log = snapshot.log else { return [] }
        let events = snapshot.counts[AuditEvent.modelName] ?? 0
        return [
            Fact(
                localized("History"),
                log.entries.map { localized($0, one: "1 entry", other: "\($0) entries") } ?? localized("not in it")),
            Fact(localized("Events"), Words.grouped(events)),
            Fact(localized("Receipts"), Words.grouped(log.receipts)),
        ]
    }

    static func interval(_ seconds: TimeInterval) -> String {
        func whole(_ length: TimeInterval) -> Int? {
            let count = seconds / length
            return count >= 1 && count == count.rounded() ? Int(count) : nil
        }
        if let days = whole(86_400) { return localized(days, one: "every day", other: "every \(days) days") }
        if let hours = whole(3600) { return localized(hours, one: "every hour", other: "every \(hours) hours") }
        if let minutes = whole(60) { return localized(minutes, one: "every minute", other: "every \(minutes) minutes") }
        return localized(Int(seconds), one: "every second", other: "every \(Int(seconds)) seconds")
    }
}
