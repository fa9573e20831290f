import AviaryDomain
import Foundation

/// Work that takes long and waits for disks: on a thread of its own, because the cooperative pool has only a few.
enum BlockingWork {
    /// - Parameter givesWay: Whether everything else on the machine comes first.
    static func run<Value: Sendable>(
        givingWay givesWay: Bool = false, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // What is wrong is told in the language of who asks.
        let work = Language.carried(by: work)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let result = givesWay ? Thread.givingWay(niceness: 10) { Result { try work() } } : Result { try work() }
                continuation.resume(with: result)
            }
        }
    }
}
