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
