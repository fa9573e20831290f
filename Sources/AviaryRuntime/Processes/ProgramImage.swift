import CSupport
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program, held as an open file. The file stays the same when another program takes its path.
///
/// The program that was asked about its schema is therefore the program that is started. A process that dies is
/// started again from the program that served, and not from a half-written copy of the next one.
final class ProgramImage: Sendable {
    /// The name of the program's processes.
    let name: String
    private let descriptor: CInt?

    /// Opens the program.
    ///
    /// - Throws: ``StartError`` when there is no such file.
    init(path: String, name: String? = nil) throws(StartError) {
        self.name = name ?? path
        let descriptor = aviary_open_program(path)
        guard descriptor >= 0 || errno == ENOSYS else {
            throw StartError(
                failure: .impossible(reason: "\(path) cannot be opened: \(String(cString: strerror(errno)))"))
        }
        self.descriptor = descriptor >= 0 ? descriptor : nil
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors that become the child's, from 3 on.
    ///   - output: The child's standard output; nil for this process's own.
    func spawn(
        arguments: [String], environment: [String: String], descriptors: [CInt], output: CInt? = nil
    ) throws(StartError) -> pid_t {
        // The path leads through this process: the child's own copy is closed before the system looks up the
        // program.
        let file = descriptor.map { "/proc/\(getpid())/fd/\($0)" }
        var pid: pid_t = 0
        var error = CInt(0)
        withCStrings([name] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                func spawn(_ path: String) -> CInt {
                    aviary_spawn(&pid, path, arguments, environment, descriptors, CInt(descriptors.count), output ?? -1)
                }
                error = spawn(file ?? name)
                // Children cannot open a program that its user may not read, and some sandboxes have no /proc.
                if file != nil, error == EACCES || error == ENOENT { error = spawn(name) }
            }
        }
        guard error == 0 else { throw StartError(code: error, program: name) }
        return pid
    }

    private func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

/// An error for a process that could not be started.
struct StartError: Error, Sendable, Hashable {
    let failure: StartFailure

    init(failure: StartFailure) {
        self.failure = failure
    }

    init(code: CInt, program: String) {
        let reason = String(cString: strerror(code))
        switch code {
        // The file is still being written. It stops being busy when the writer closes it.
        case EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY, EINTR, ENOBUFS: failure = .noRoom(reason: reason)
        default: failure = .impossible(reason: "\(program): \(reason)")
        }
    }

    var reason: String {
        switch failure {
        case .noRoom(let reason), .impossible(let reason): reason
        }
    }
}

/// The start time of a process.
///
/// Together with the number, it identifies a process even after the number was reused.
enum ProcessStartTime {
    /// Returns the start time in clock ticks since the system booted, or nil when there is no such process or the
    /// system does not report it.
    static func ticks(of pid: Int32) -> UInt64? {
        // Files in /proc have no size, so they are read to the end.
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(pid)/stat"),
            let data = try? handle.readToEnd()  // it ended meanwhile: there is no such process
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // The name in parentheses may contain any character.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    static func exists(_ pid: Int32) -> Bool {
        pid > 0 && (kill(pid, 0) == 0 || errno == EPERM)
    }
}
