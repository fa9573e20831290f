import CSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a child of the supervisor finds open, beside standard input, output and error.
package enum InheritedDescriptor {
    /// The listening socket that it serves.
    package static let socket: CInt = 3
    /// The read end of a pipe that nobody writes to: it ends when the supervisor ends, however that happens.
    package static let death: CInt = 4
    /// The write end of a pipe: one byte says that the process is ready.
    package static let readiness: CInt = 5
    /// The store's lock, which the supervisor holds as long as it lives; only the store has it.
    package static let lock: CInt = 6
    /// The listening socket for metrics; only workers have it, and only if there is one.
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
