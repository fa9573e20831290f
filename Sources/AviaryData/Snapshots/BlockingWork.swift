import Foundation

/// Work that takes long and waits for disks: on a thread of its own, because the cooperative pool has only a few.
enum BlockingWork {
    /// - Parameter givesWay: Whether everything else on the machine comes first.
    static func run<Value: Sendable>(
        givingWay givesWay: Bool = false, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                #if os(Linux)
                // Of this thread alone, as Linux has it. Where it is not permitted the work is only less polite.
                if givesWay { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
                #endif
                continuation.resume(with: Result { try work() })
            }
        }
    }
}
