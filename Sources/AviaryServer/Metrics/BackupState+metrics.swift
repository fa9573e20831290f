import AviaryDomain
import AviaryMetrics
import Foundation

extension BackupState {
    /// - Parameter state: Nil where the server takes no backups by itself: then nothing is wrong with them.
    static func add(_ state: BackupState?, to snapshot: inout MetricSnapshot, at now: Date) {
        snapshot.set(state?.lastSuccess?.timeIntervalSince1970 ?? 0, .backupLast)
        let problems = [
            ("failed", state?.failure != nil), ("late", state?.isLate(at: now) == true),
            ("hook", state?.hookFailure != nil),
        ]
        for (problem, isThere) in problems {
            snapshot.set(isThere ? 1 : 0, .backupProblem, [MetricLabel("problem", problem)])
        }
    }
}
