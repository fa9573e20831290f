package import Foundation

/// The state of a store's file, as far as it is known.
///
/// It is checked when the store before this one had no time to close it, because its process was killed or the machine
/// stopped, and when a statement met damage.
package enum FileCheck: Sendable, Hashable, Codable {
    case notNeeded
    case running
    case ok(at: Date)
    /// Some of what is wrong, as SQLite says it.
    case damaged([String], at: Date)
    /// It came to no end, and begins anew when the store is opened the next time.
    case unfinished(reason: String)
}

extension FileCheck {
    /// The way that loses least: a backup reads what an older one does not have yet.
    package static let adviceOnDamage =
        "Look at the disk, take a backup of this store now (backup --prove), stop the server and run repair; restore a backup where that "
        + "does not help."
}

extension FileCheck: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notNeeded: "not needed: it was closed in good order"
        case .running: "running"
        case .ok(let time): "ok, checked \(time.rfc3339 ?? "")"
        case .damaged(let lines, let time):
            "DAMAGED, found \(time.rfc3339 ?? ""). \(Self.adviceOnDamage) " + lines.joined(separator: "; ")
        case .unfinished(let reason): "not finished: \(reason)"
        }
    }
}
