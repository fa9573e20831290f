import Foundation
import TestSupport
import Testing

/// The programs under test, built beside the test bundle.
enum Program: String, Sendable {
    case zoo
    /// A program with routes, commands and hooks of its own.
    case extendedZoo = "ExtendedZoo"
    /// The example of a second program, in the documentation.
    case feeder = "Feeder"
    /// A program that acknowledges before it commits.
    case lyingZoo = "LyingZoo"
    /// A program of a later version.
    case grownZoo = "GrownZoo"
    /// Another application, with models of every kind.
    case library = "Library"

    struct NotFound: Error {}

    /// The result of a run that has ended.
    struct Run: Sendable {
        let exitCode: Int32
        let output: String
        let errors: String

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(output.utf8))
        }
    }

    func executable() throws -> URL {
        guard let bundle = Bundle.main.executableURL?.resolvingSymlinksInPath() else { throw NotFound() }
        let program = bundle.deletingLastPathComponent().appending(path: rawValue)
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw NotFound() }
        return program
    }

    /// Runs the program to its end. If it takes longer than the patience, it is killed and the test fails.
    ///
    /// - Parameter input: The program's standard input.
    func run(
        _ arguments: [String], in directory: TestDirectory, input: String = "", patience: Duration = Patience.bound
    ) async throws -> Run {
        let errors = directory.path("errors-\(UUID().uuidString)")
        let running = try RunningProgram(self, arguments, in: directory, errors: errors, input: input)
        let watch = running.killIfLate(in: directory, after: patience)
        defer { watch.cancel() }
        let output = await running.restOfOutput()
        let exitCode = await running.exitCode
        return Run(
            exitCode: exitCode, output: output,
            errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
    }
}

/// A process of a program. Its standard error goes to a file, so that nothing has to be read from it.
final class RunningProgram: Sendable {
    let processID: pid_t
    private let output: FileHandle
    private let exit: Task<Int32, Never>

    init(
        _ program: Program, _ arguments: [String], in directory: TestDirectory, errors: String,
        environment: [String: String] = [:], installedAt path: String? = nil, input: String = ""
    ) throws {
        let process = Process()
        process.executableURL = try path.map { URL(filePath: $0) } ?? program.executable()
        process.arguments = arguments
        // The tests' own environment must not influence the program. Its temporary files are in the test's
        // directory.
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("AVIARY_") && $0.key != "SWIFT_BACKTRACE" }
            .merging(["TMPDIR": directory.path, "ZOO_BELL": directory.path("bell")]) { _, given in given }
            .merging(environment) { _, given in given }
        try Data().write(to: URL(filePath: errors))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        let typed = errors + "-input"
        try Data(input.utf8).write(to: URL(filePath: typed))
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: typed))
        let (exits, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            // The exit code for a signal is the shell's.
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            continuation.yield(signal + process.terminationStatus)
            continuation.finish()
        }
        output = try process.runAloneWithOutput()
        processID = process.processIdentifier
        exit = Task { await exits.first { _ in true } ?? -1 }
    }

    /// The exit code, after waiting for the end. A signal counts as 128 and its number.
    var exitCode: Int32 {
        get async { await exit.value }
    }

    func send(_ signal: Int32) {
        kill(processID, signal)
    }

    /// Kills the program, and all processes that work in the directory, when it hangs. The test fails and ends.
    func killIfLate(in directory: TestDirectory, after patience: Duration = Patience.bound) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: patience)
            Issue.record("The process \(processID) had not come to its end, or to its first line, within \(patience).")
            send(SIGKILL)
            for process in ProcessTable.mentioning(directory.path) { kill(process.pid, SIGKILL) }
        }
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

/// A copy of a program in a test's directory.
///
/// It can be replaced as a deploy replaces it: by another file of its name.
struct InstalledProgram: Sendable {
    let path: String

    init(_ program: Program, in directory: TestDirectory) throws {
        path = directory.path("program")
        try install(program)
    }

    /// Installs a program.
    ///
    /// - Parameter growth: The text that the program reads at the end of its own file; see `GrownZoo`.
    func install(_ program: Program, growth: String? = nil) throws {
        try ExecutableFile.write(
            to: path, joining: [program.executable().path], endingWith: growth.map { "\ngrown-zoo \($0)\n" } ?? "")
    }

    /// Installs a script that runs before the zoo's program. `$1` is the command.
    func install(script: String) throws {
        let zoo = try Program.zoo.executable().path
        try ExecutableFile.write(to: path, endingWith: "#!/bin/sh\n\(script)\nexec '\(zoo)' \"$@\"\n")
    }
}
