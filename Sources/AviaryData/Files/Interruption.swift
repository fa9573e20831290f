import Dispatch
import Foundation
import Synchronization

/// A request to long work to stop and to remove its unfinished files.
package final class Interruption: Sendable {
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

extension Interruption {
    /// Returns an interruption that the process's own signals request, from now to the end of the process.
    ///
    /// SIGPIPE becomes a write error, after which the process cleans up, too. A signal that the parent process set
    /// to be ignored, as `nohup` does, remains ignored.
    package static func onSignals(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) -> Interruption {
        let interruption = Interruption()
        signal(SIGPIPE, SIG_IGN)
        for number in signals where !isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                interruption.request()
                _ = source  // lives as long as its handler
            }
            source.resume()
        }
        return interruption
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
