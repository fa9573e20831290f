import CSupport
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program as it was found: the file itself, which stays the same when another one takes its name.
///
/// So what was asked is what is started, and what dies is started again from the program that served, not from a half of
/// the next one.
final class ProgramImage: Sendable {
    /// What its processes are called by.
    let name: String
    private let descriptor: CInt?

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

    /// - Parameters:
    ///   - descriptors: become the child's from 3 on.
    ///   - output: becomes its standard output, unless it is nil.
    func spawn(
        arguments: [String], environment: [String: String], descriptors: [CInt], output: CInt? = nil
    ) throws(StartError) -> pid_t {
        // Through this process: the child's own copy is closed before the program is looked up.
        let file = descriptor.map { "/proc/\(getpid())/fd/\($0)" }
        var pid: pid_t = 0
        var error = CInt(0)
        withCStrings([name] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                func spawn(_ path: String) -> CInt {
                    aviary_spawn(&pid, path, arguments, environment, descriptors, CInt(descriptors.count), output ?? -1)
                }
                error = spawn(file ?? name)
                // A program that its user may not read is closed to its own children too, and some jails have no /proc.
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

/// A process could not be started.
struct StartError: Error, Sendable, Hashable {
    let failure: StartFailure

    init(failure: StartFailure) {
        self.failure = failure
    }

    init(code: CInt, program: String) {
        let reason = String(cString: strerror(code))
        switch code {
        // A file that is still being written is busy: whoever writes it comes to an end.
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

/// When a process began: with its number it names one process, also after the number was given to another.
enum ProcessStart {
    /// In the system's ticks since it began; nil when there is no such process or the system does not tell.
    static func ticks(of pid: Int32) -> UInt64? {
        // These files have no size to go by.
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(pid)/stat"),
            let data = try? handle.readToEnd()  // it ended meanwhile: there is no such process
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // The name in parentheses may hold anything.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    static func exists(_ pid: Int32) -> Bool {
        pid > 0 && (kill(pid, 0) == 0 || errno == EPERM)
    }
}
