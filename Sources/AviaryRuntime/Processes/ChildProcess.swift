import CSupport
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A child process. It starts the process and reports when it is ready and when it has ended.
final class ChildProcess: Sendable {
    enum Event: Sendable {
        case ready
        case ended(ProcessTermination)
    }

    let pid: pid_t
    /// Indicates whether the process was waited for. From then on, its number may belong to another process.
    private let wasWaitedFor = Mutex(false)

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - socket: The listening socket, which becomes the child's ``InheritedDescriptor/socket``.
    ///   - death: The read end of the pipe that becomes the child's ``InheritedDescriptor/death``.
    ///   - more: A further descriptor for the child: ``InheritedDescriptor/lock`` or ``InheritedDescriptor/metrics``.
    ///   - report: The function that receives the events. It is called from threads of its own.
    /// - Throws: ``StartError``.
    init(
        image: ProgramImage, arguments: [String], environment: [String: String], socket: CInt, death: CInt,
        more: CInt? = nil, report: @escaping @Sendable (Event) -> Void
    ) throws(StartError) {
        let readiness: PipeDescriptors
        do {
            readiness = try PipeDescriptors()
        } catch {
            throw StartError(failure: .noRoom(reason: "\(error)"))
        }
        defer { close(readiness.write) }
        let descriptors = [socket, death, readiness.write] + (more.map { [$0] } ?? [])
        do {
            pid = try image.spawn(arguments: arguments, environment: environment, descriptors: descriptors)
        } catch {
            close(readiness.read)
            throw error
        }
        Self.watchReadiness(readiness.read, report)
        startThread("child") { [self] in report(.ended(waitForEnd())) }
    }

    /// Sends a signal; does nothing after the process has ended. SIGKILL goes to the whole process group.
    func send(_ signal: Int32) {
        wasWaitedFor.withLock { wasWaitedFor in
            if !wasWaitedFor { kill(signal == SIGKILL ? -pid : pid, signal) }
        }
    }

    private static func watchReadiness(_ descriptor: CInt, _ report: @escaping @Sendable (Event) -> Void) {
        startThread("readiness") {
            var byte: UInt8 = 0
            var count: Int
            repeat { count = read(descriptor, &byte, 1) } while count < 0 && errno == EINTR
            close(descriptor)
            if count == 1 { report(.ready) }
        }
    }

    private func waitForEnd() -> ProcessTermination {
        // The process stays a zombie, and keeps its number, until the lock is held.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return wasWaitedFor.withLock { wasWaitedFor in
            // The processes that it started must not keep its sockets open. The group keeps its number as long as
            // the process is a zombie.
            kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            wasWaitedFor = true
            return ProcessTermination(status: status)
        }
    }
}

/// Starts a thread with a small stack, for work that blocks.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.stackSize = 128 * 1024
    thread.start()
}

/// The end of a process.
enum ProcessTermination: Sendable, Hashable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// Creates an end from a process's status.
    ///
    /// - Parameter status: The status that `waitpid` returns.
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

/// The descriptors that a child of the supervisor inherits, besides standard input, output and error.
package enum InheritedDescriptor {
    /// The listening socket that the child serves.
    package static let socket: CInt = 3
    /// The read end of a pipe that nobody writes to. It reaches its end when the supervisor ends, for any reason.
    package static let death: CInt = 4
    /// The write end of a pipe. One byte says that the process is ready.
    package static let readiness: CInt = 5
    /// The store's lock, which the supervisor holds as long as it lives. Only the store process inherits it.
    package static let lock: CInt = 6
    /// The listening socket for metrics. Only workers inherit it, and only if there is one.
    package static let metrics: CInt = 6
}

/// Both ends of a pipe, closed on exec.
struct PipeDescriptors {
    let read: CInt
    let write: CInt

    init() throws(SupervisorError) {
        var ends: [CInt] = [-1, -1]
        guard aviary_pipe(&ends) == 0 else { throw .system(reason: String(cString: strerror(errno))) }
        read = ends[0]
        write = ends[1]
    }
}

/// The child's connection to the supervisor.
package enum LivenessPipe {
    /// Reports to the supervisor that this process is ready to serve.
    package static func reportReady() {
        var byte: UInt8 = 1
        _ = write(InheritedDescriptor.readiness, &byte, 1)
        close(InheritedDescriptor.readiness)
    }

    /// Runs the action once the supervisor has ended.
    ///
    /// A thread of its own waits for that, so that nothing can delay it.
    package static func onOrphaned(_ action: @escaping @Sendable () -> Void) {
        let thread = Thread {
            var byte: UInt8 = 0
            while true {
                let count = read(InheritedDescriptor.death, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            action()
        }
        thread.name = "supervisor watch"
        thread.stackSize = 64 * 1024
        thread.start()
    }
}
