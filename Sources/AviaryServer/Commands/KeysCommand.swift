import AviaryDomain
import Foundation

/// What `keys list` tells of one key. Never the key itself.
struct KeyReport: Encodable {
    enum Use: String, Encodable {
        case accepted, used, former, retirable, damaged
    }

    /// The name of its file, without the ending.
    let id: String
    let created: Date
    let use: Use
    /// From when it is used, or until when it is needed.
    let changesAt: Date?

    init(_ key: KeyID, in schedule: KeySchedule, at now: Date) {
        id = key.hexadecimal
        created = key.createdAt
        switch schedule.use(of: key, at: now) {
        case .accepted(let time): (use, changesAt) = (.accepted, time)
        case .used: (use, changesAt) = (.used, nil)
        case .former(let time): (use, changesAt) = (time <= now ? .retirable : .former, time)
        }
    }

    init(damaged key: KeyID) {
        id = key.hexadecimal
        created = key.createdAt
        use = .damaged
        changesAt = nil
    }

    var text: String {
        let time = changesAt?.rfc3339 ?? ""
        let words =
            switch use {
            case .accepted: "opens; seals from \(time)"
            case .used: "seals and opens"
            case .former: "opens; needed until \(time)"
            case .retirable: "needed by nothing; the next rotation removes it"
            case .damaged: "cannot be read: restore it from its backup, or remove it"
            }
        return "\(id)  made \(created.rfc3339 ?? "")  \(words)"
    }

    /// Oldest first.
    static func all(in files: KeyFiles, at now: Date) throws -> [KeyReport] {
        let found = try files.load()
        let schedule = KeySchedule(found.keys.map(\.id))
        let damaged = found.damaged.map { KeyReport(damaged: $0) }
        return (schedule.keys.map { KeyReport($0, in: schedule, at: now) } + damaged).sorted { $0.id < $1.id }
    }
}
