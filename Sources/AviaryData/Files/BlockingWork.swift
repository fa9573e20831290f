import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// Work that takes long and waits for disks.
///
/// It runs on a thread of its own, because the cooperative pool has only a few.
enum BlockingWork {
    /// Runs the work.
    ///
    /// - Parameter isLowPriority: Indicates whether the work runs at a lower priority than everything else on the
    ///   machine.
    static func run<Value: Sendable>(
        isLowPriority: Bool = false, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // Error messages use the language of the request.
        let work = PageTimeZone.carried(by: Language.carried(by: work))
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let result =
                    isLowPriority
                    ? Thread.withLowPriority(niceness: 10) { Result { try work() } } : Result { try work() }
                continuation.resume(with: result)
            }
        }
    }
}

/// A request to long work to stop and to remove its unfinished files.
package final class CancellationToken: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package var isRequested: Bool { state.load(ordering: .relaxed) }

    package func request() {
        state.store(true, ordering: .relaxed)
    }

    func check() throws(SnapshotError) {
        guard !isRequested else { throw SnapshotError(.interrupted) }
    }
}

extension CancellationToken {
    /// Returns a cancellation token that the process's own signals request, from now to the end of the process.
    ///
    /// SIGPIPE becomes a write error, after which the process cleans up, too. A signal that the parent process set
    /// to be ignored, as `nohup` does, remains ignored.
    package static func onSignals(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) -> CancellationToken {
        let token = CancellationToken()
        signal(SIGPIPE, SIG_IGN)
        for number in signals where !isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                token.request()
                _ = source  // lives as long as its handler
            }
            source.resume()
        }
        return token
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
