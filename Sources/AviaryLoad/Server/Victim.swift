import Foundation

/// A process that is to be killed.
struct Victim: Sendable {
    /// `store`, `worker`, or `server` where both are one process.
    let name: String
    let pid: Int32

    /// The hard way: it gets no chance to tidy up.
    ///
    /// - Returns: false when it had ended by itself.
    func kill() -> Bool {
        // Nothing below 1 is one process.
        pid > 0 && Foundation.kill(pid, SIGKILL) == 0
    }
}
