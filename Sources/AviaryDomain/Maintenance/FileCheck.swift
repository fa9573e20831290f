package import Foundation

/// The known state of a store's file.
///
/// The store checks the file after a previous store could not close it, because its process was killed or the
/// machine stopped, and after a statement found damage.
package enum FileCheck: Sendable, Hashable, Codable {
    case notNeeded
    case running
    case ok(at: Date)
    /// A damaged file, with some of the messages of SQLite.
    case damaged([String], at: Date)
    /// A check that did not finish. It begins again when the store is opened the next time.
    case unfinished(reason: String)
}

extension FileCheck {
    /// The advice for a damaged file. It loses the least data, because a new backup contains records that older ones
    /// do not.
    package static let adviceOnDamage =
        "Check the disk, take a backup of this store now (backup --prove), stop the server and run repair. "
        + "If that fails, restore a backup."
}

extension FileCheck: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notNeeded: "not needed: clean shutdown"
        case .running: "running"
        case .ok(let time): "ok, checked \(time.rfc3339 ?? "")"
        case .damaged(let lines, let time):
            "DAMAGED, found \(time.rfc3339 ?? ""). \(Self.adviceOnDamage) " + lines.joined(separator: "; ")
        case .unfinished(let reason): "not finished: \(reason)"
        }
    }
}
