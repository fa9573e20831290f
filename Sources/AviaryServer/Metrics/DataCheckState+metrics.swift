import AviaryDomain
import AviaryMetrics
import Foundation

extension DataCheckState {
    /// - Parameter state: Nil where the server makes no checks by itself.
    static func add(_ state: DataCheckState?, to snapshot: inout MetricSnapshot) {
        snapshot.set(state?.last?.endedAt.timeIntervalSince1970 ?? 0, .dataCheckLast)
        snapshot.set(Double(state?.last?.problemCount ?? 0), .dataCheckProblems)
        snapshot.set(state?.failure == nil ? 0 : 1, .dataCheckUnfinished)
    }
}
