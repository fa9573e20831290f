import Foundation

/// A driver that was started.
final class RunningDriver {
    private static let bound: TimeInterval = 60
    private let process: Process
    private let late: DispatchWorkItem

    init(_ process: Process) throws {
        self.process = process
        try process.run()
        let processID = process.processIdentifier
        // A run that hangs fails its test and no other.
        late = DispatchWorkItem { Foundation.kill(processID, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.bound, execute: late)
    }

    var isRunning: Bool { process.isRunning }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Its exit status; a signal counts as 128 and its number.
    func wait() -> Int32 {
        process.waitUntilExit()
        late.cancel()
        return (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus
    }

    /// Waits until the condition holds, or the process ends: false then.
    func wait(until condition: () throws -> Bool) rethrows -> Bool {
        while process.isRunning {
            if try condition() { return true }
            usleep(2000)
        }
        return try condition()
    }
}
