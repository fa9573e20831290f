import AviaryDomain
import Foundation

/// Work that takes long and waits for disks.
///
/// It runs on a thread of its own, because the cooperative pool has only a few.
enum BlockingWork {
    /// Runs the work.
    ///
    /// - Parameter givesWay: Indicates whether the work runs at a lower priority than everything else on the
    ///   machine.
    static func run<Value: Sendable>(
        givingWay givesWay: Bool = false, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // Error messages use the language of the request.
        let work = Language.carried(by: work)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let result = givesWay ? Thread.givingWay(niceness: 10) { Result { try work() } } : Result { try work() }
                continuation.resume(with: result)
            }
        }
    }
}
