import CSupport
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a process ended.
enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}

/// A process of ours: starts it, and tells when it is ready and when it has ended.
struct ChildProcess: Sendable {
    enum Event: Sendable {
        case ready(pid_t)
        case ended(pid_t, ProcessEnd)
    }

    let pid: pid_t

    /// - Parameters:
    ///   - socket: what it serves; becomes ``InheritedDescriptor/socket``.
    ///   - death: the read end of the death pipe.
    ///   - lock: becomes ``InheritedDescriptor/lock``, if there is one.
    ///   - report: called from threads of its own.
    init(
        program: String, arguments: [String], environment: [String: String], socket: CInt, death: CInt,
        lock: CInt? = nil, report: @escaping @Sendable (Event) -> Void
    ) throws(SupervisorError) {
        let readiness = try PipeDescriptors()
        defer { close(readiness.write) }
        var pid: pid_t = 0
        let descriptors = [socket, death, readiness.write] + (lock.map { [$0] } ?? [])
        let error = Self.withCStrings([program] + arguments) { arguments in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                aviary_spawn(&pid, program, arguments, environment, descriptors, CInt(descriptors.count))
            }
        }
        guard error == 0 else {
            close(readiness.read)
            throw .cannotStart(program: program, reason: String(cString: strerror(error)))
        }
        self.pid = pid
        Self.watchReadiness(readiness.read, of: pid, report)
        Self.watchEnd(of: pid, report)
    }

    func send(_ signal: Int32) {
        kill(pid, signal)
    }

    private static func watchReadiness(_ descriptor: CInt, of pid: pid_t, _ report: @escaping @Sendable (Event) -> Void) {
        startThread("readiness") {
            var byte: UInt8 = 0
            var count: Int
            repeat { count = read(descriptor, &byte, 1) } while count < 0 && errno == EINTR
            close(descriptor)
            if count == 1 { report(.ready(pid)) }
        }
    }

    private static func watchEnd(of pid: pid_t, _ report: @escaping @Sendable (Event) -> Void) {
        startThread("child") {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 {
                if errno != EINTR { break }
            }
            report(.ended(pid, ProcessEnd(status: status)))
        }
    }

    private static func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.stackSize = 64 * 1024
        thread.start()
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}
