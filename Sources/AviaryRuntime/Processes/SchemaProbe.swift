import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A process that is asked what its program would do to the store's schema.
///
/// There is always exactly one answer, whatever the process prints or does.
final class SchemaProbe: Sendable {
    /// The program's output.
    private struct Report: Decodable {
        let change: String
        let steps: [String]?
        let reason: String?
    }

    private enum State {
        case running(pid_t, isStopped: Bool)
        case ended
    }

    static let patience: Duration = .seconds(30)
    private static let largestReport = 1 << 20
    /// The longest wait for output, in milliseconds.
    ///
    /// After it, the probe checks whether an answer is still wanted.
    private static let longestWait: Int64 = 100

    /// The program. It is kept open because a script's interpreter opens this file.
    private let image: ProgramImage
    /// The number of the process and of its process group.
    let pid: pid_t
    private let output: CInt
    private let state: Mutex<State>

    /// Starts the process.
    ///
    /// - Throws: ``StartError``.
    init(_ image: ProgramImage, arguments: [String], environment: [String: String]) throws(StartError) {
        let output: PipeDescriptors
        do {
            output = try PipeDescriptors()
        } catch {
            throw StartError(failure: .noRoom(reason: "\(error)"))
        }
        defer { close(output.write) }
        do {
            pid = try image.spawn(arguments: arguments, environment: environment, descriptors: [], output: output.write)
            state = Mutex(.running(pid, isStopped: false))
        } catch {
            close(output.read)
            throw error
        }
        self.output = output.read
        self.image = image
    }

    /// Waits for the answer on a thread of its own.
    func answer(
        within patience: Duration = SchemaProbe.patience, _ report: @escaping @Sendable (CompatibilityResult) -> Void
    ) {
        startThread("probe") { [self] in report(checkCompatibility(within: patience)) }
    }

    /// Kills the process and all processes that it started, so that the answer comes at once.
    ///
    /// The probe does not wait for processes that have left the group.
    func stop() {
        state.withLock { state in
            guard case .running(let pid, _) = state else { return }
            kill(-pid, SIGKILL)
            state = .running(pid, isStopped: true)
        }
    }

    private var isStopped: Bool {
        state.withLock { if case .running(_, true) = $0 { true } else { false } }
    }

    private func checkCompatibility(within patience: Duration) -> CompatibilityResult {
        let deadline = ContinuousClock.now + patience
        let text = read(until: deadline)
        if text == nil { stop() }
        let (end, wasInTime) = waitForEnd(until: deadline)
        guard let text, wasInTime else {
            return .unusable(
                reason:
                    "the new program did not tell within \(patience.components.seconds) s what it would do to the store"
            )
        }
        return Self.compatibility(text, end)
    }

    /// Returns the compatibility that a program's output states.
    ///
    /// - Parameter end: The end of the process that printed the text.
    static func compatibility(_ text: [UInt8], _ end: ProcessTermination) -> CompatibilityResult {
        let report: Report
        do {
            report = try JSONDecoder().decode(Report.self, from: Data(text))
        } catch {
            return .unusable(reason: "the new program did not tell what it would do to the store (\(end))")
        }
        switch (end, SchemaChangeKind(rawValue: report.change)) {
        case (.exited(0), let change?): return .fits(change, steps: report.steps ?? [])
        case (.exited(1), nil) where report.change == "refused":
            return .refused(reason: (report.reason ?? "the new program refuses the store").replacing("\n", with: "; "))
        default: return .unusable(reason: "the new program told \"\(report.change)\" with \(end)")
        }
    }

    /// Reads the output. Returns nil when it takes too long or is too large.
    private func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        defer { close(output) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while text.count <= Self.largestReport, !isStopped {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let left = (deadline - .now).milliseconds
            guard left > 0 else { return nil }
            guard poll(&waiting, 1, CInt(clamping: min(left, Self.longestWait))) > 0 else { continue }
            let count = readBytes(output, &buffer)
            if count == 0 { return text }
            if count > 0 { text += buffer.prefix(count) } else if errno != EINTR { return nil }
        }
        return nil
    }

    /// Waits for the process to end, and stops it at the deadline.
    private func waitForEnd(until deadline: ContinuousClock.Instant) -> (ProcessTermination, wasInTime: Bool) {
        guard case .running(let pid, _) = state.withLock({ $0 }) else { return (.exited(0), true) }
        var wasInTime = true
        // Until the lock is held the process is a zombie, and its number is not reused.
        while true {
            var info = siginfo_t()
            let found = waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG)
            if found < 0, errno != EINTR { break }
            if found == 0, info.si_signo == SIGCHLD { break }
            if wasInTime, deadline < .now {
                wasInTime = false
                stop()
            }
            usleep(2000)
        }
        return state.withLock { state in
            kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            state = .ended
            return (ProcessTermination(status: status), wasInTime)
        }
    }
}

private func readBytes(_ descriptor: CInt, _ buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
