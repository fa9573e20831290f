import Foundation
import TestSupport

/// A driver that was started.
final class RunningDriver {
    private let process: Process
    private let late: DispatchWorkItem

    /// - Parameter bound: Seconds after which it is killed: a run that hangs fails its test and no other.
    init(_ process: Process, bound: TimeInterval = Patience.bound / .seconds(1)) throws {
        self.process = process
        try process.run()
        let processID = process.processIdentifier
        late = DispatchWorkItem {
            // Else the test would fail with nothing said.
            FileHandle.standardError.write(
                Data("Process \(processID) did not end within \(bound) s and is killed.\n".utf8))
            Foundation.kill(processID, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + bound, execute: late)
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
