import AviaryDomain
import Foundation

/// How backups are told of.
enum BackupWords {
    static func time(_ date: Date) -> String { date.rfc3339.map(DateWords.dateAndTime) ?? "" }

    static func origin(_ origin: SnapshotFile.Origin) -> String {
        switch origin {
        case .manual: "a person"
        case .scheduled: "the server"
        case .beforeRestore: "a restore, of what it replaced"
        case .uploaded: "upload"
        }
    }

    static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var (amount, unit) = (Double(bytes), "B")
        for next in ["KiB", "MiB", "GiB", "TiB"] where amount >= 1024 { (amount, unit) = (amount / 1024, next) }
        let tenths = (amount * 10).rounded() / 10
        return tenths < 10 ? "\(tenths) \(unit)" : "\(Int(amount.rounded())) \(unit)"
    }

    static func interval(_ seconds: TimeInterval) -> String {
        for (unit, length) in [("day", 86_400.0), ("hour", 3600), ("minute", 60)] where seconds >= length {
            let count = seconds / length
            guard count == count.rounded() else { continue }
            return count == 1 ? unit : "\(Int(count)) \(unit)s"
        }
        return seconds == 1 ? "second" : "\(Int(seconds)) seconds"
    }
}
