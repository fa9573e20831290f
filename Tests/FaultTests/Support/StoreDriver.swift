import Foundation
import TestSupport

/// The program that opens a store and writes to it, built beside the tests.
struct StoreDriver {
    struct NotFound: Error {}

    /// The exit codes other than 0 and signals.
    enum Exit {
        static let storeFailed: Int32 = 70
        static let cannotOpen: Int32 = 71
        static let killed = 128 + SIGKILL
    }

    enum Bug: String {
        case acknowledgeEarly = "acknowledge-early"
    }

    var firstCaller = 0
    var callers = 8
    var steps = 20
    var noteLength = 100
    var seed: UInt64 = Sweep.seed
    var copies = 1
    var isReading = false
    var bug: Bug?

    private var options: [String] {
        var options = ["--first-caller", "\(firstCaller)", "--callers", "\(callers)", "--steps", "\(steps)"]
        options += ["--note-length", "\(noteLength)", "--copies", "\(copies)", "--seed", "\(seed)"]
        if isReading { options.append("--reading") }
        if let bug { options += ["--bug", bug.rawValue] }
        return options
    }

    /// Starts the program on the directory. The ledgers and traces of all runs on a directory follow one another.
    func start(in directory: StoreDirectory, _ faults: DiskFaults = .none) throws -> RunningDriver {
        let process = Process()
        process.executableURL = try Self.programs().appending(path: "StoreDriver")
        process.arguments = [directory.data] + options
        process.environment = try ProcessInfo.processInfo.environment.merging(
            faults.environment(
                store: directory.store, ledger: directory.ledgerPath, trace: directory.tracePath
            )
        ) { _, given in given }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(appendingTo: directory.ledgerPath)
        process.standardError = try FileHandle(appendingTo: directory.errorsPath)
        return try RunningDriver(process)
    }

    /// Runs the program until it exits and returns its exit status.
    @discardableResult
    func run(in directory: StoreDirectory, _ faults: DiskFaults = .none) throws -> Int32 {
        try start(in: directory, faults).wait()
    }

    static func programs() throws -> URL {
        guard let bundle = Bundle.main.executableURL?.resolvingSymlinksInPath() else { throw NotFound() }
        return bundle.deletingLastPathComponent()
    }
}

extension FileHandle {
    convenience init(appendingTo path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

/// A running driver.
final class RunningDriver {
    private let process: Process
    private let late: DispatchWorkItem

    /// - Parameter bound: The seconds after which the process is killed, so that a hanging run fails only its own test.
    init(_ process: Process, bound: TimeInterval = Patience.bound / .seconds(1)) throws {
        self.process = process
        try process.runAlone()
        let processID = process.processIdentifier
        late = DispatchWorkItem {
            // Otherwise the test would fail without a reason.
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

    /// Stops the process while the body runs.
    func whileStopped<Result>(_ body: () throws -> Result) throws -> Result {
        let tasks = "/proc/\(process.processIdentifier)/task"
        Foundation.kill(process.processIdentifier, SIGSTOP)
        defer { Foundation.kill(process.processIdentifier, SIGCONT) }
        try blockUntil("every thread of the driver is stopped") {
            try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                // A thread that has ended meanwhile does nothing either.
                let state = (try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)) ?? ""
                return state.isEmpty || [") T ", ") Z ", ") X "].contains { state.contains($0) }
            }
        }
        return try body()
    }

    /// Waits for the exit and returns its status, which for a signal is 128 plus its number.
    func wait() -> Int32 {
        process.waitUntilExit()
        late.cancel()
        return (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus
    }

    /// Waits until the condition holds or the process ends, and returns whether the condition holds.
    func wait(until condition: () throws -> Bool) rethrows -> Bool {
        while process.isRunning {
            if try condition() { return true }
            usleep(2000)
        }
        return try condition()
    }
}
