import Dispatch
import Foundation
import Synchronization

/// Asks long work to stop, so that it clears away what it began.
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
    /// One that the process's own signals request, from now to the end of the process.
    package static func onSignals(_ signals: [Int32] = [SIGINT, SIGTERM]) -> Interruption {
        let interruption = Interruption()
        for number in signals {
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
}
