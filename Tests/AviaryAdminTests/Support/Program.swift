import Foundation
import Synchronization
import TestSupport

/// The program `zoo`, built beside the test bundle.
struct Program: Sendable {
    struct NotFound: Error {}

    /// The result of a run that has ended.
    struct Run: Sendable {
        let exitCode: Int32
        let output: String
        let errors: String
    }

    static func executable() throws -> URL {
        guard let bundle = Bundle.main.executableURL?.resolvingSymlinksInPath() else { throw NotFound() }
        let program = bundle.deletingLastPathComponent().appending(path: "zoo")
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw NotFound() }
        return program
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Run {
        let directory = try TestDirectory()
        let running = try RunningProgram(arguments, environment: environment, errors: directory.path("stderr"))
        let output = await running.restOfOutput()
        let exitCode = await running.exitCode
        let errors = try Data(contentsOf: URL(filePath: directory.path("stderr")))
        return Run(exitCode: exitCode, output: output, errors: String(decoding: errors, as: UTF8.self))
    }
}

/// A process of the program. Its standard error goes to a file, so that nothing has to be read from it.
///
/// The process ends with the last reference to it at the latest, so that a failing test leaves no process behind.
final class RunningProgram: Sendable {
    let processID: pid_t
    private let output: FileHandle
    private let exit: Task<Int32, Never>
    private let end = End()

    init(_ arguments: [String], environment: [String: String] = [:], errors: String) throws {
        let process = Process()
        process.executableURL = try Program.executable()
        process.arguments = arguments
        // The tests' own environment must not influence the program.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AVIARY_") }
            .merging(environment) { _, given in given }
        try Data().write(to: URL(filePath: errors))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        process.standardInput = FileHandle.nullDevice
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { [end] process in
            end.note()
            // The exit code for a signal is the shell's.
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            continuation.yield(signal + process.terminationStatus)
            continuation.finish()
        }
        output = try process.runAloneWithOutput()
        processID = process.processIdentifier
        exit = Task { await exits.first { _ in true } ?? -1 }
    }

    deinit {
        if !end.isNoted { kill(processID, SIGKILL) }
    }

    /// The exit code, after waiting for the end. A signal counts as 128 and its number.
    var exitCode: Int32 {
        get async { await exit.value }
    }

    func send(_ signal: Int32) {
        // After the process has ended, its id may belong to another process.
        if !end.isNoted { kill(processID, signal) }
    }

    /// Returns the first line that the program prints; empty when it ends without one.
    func firstLine() async -> String {
        await onThread { [output] in
            var line = Data()
            // An error ends the line.
            while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte != Data([10]) { line += byte }
            return String(decoding: line, as: UTF8.self)
        }
    }

    func restOfOutput() async -> String {
        await onThread { [output] in String(decoding: output.readDataToEndOfFile(), as: UTF8.self) }
    }
}

/// A flag that says that a process has ended. From then on, its id may belong to another process.
private final class End: Sendable {
    private let state = Mutex(false)

    var isNoted: Bool { state.withLock { $0 } }
    func note() { state.withLock { $0 = true } }
}
