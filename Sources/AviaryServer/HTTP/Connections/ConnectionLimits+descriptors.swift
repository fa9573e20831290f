#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension ConnectionLimits {
    /// More would only wait for the processor.
    private static let mostConnections = 4096
    /// Descriptors for everything else: the store's files, event loops, pipes, the way to the store process.
    private static let reserve = 40...128

    /// How many connections leave enough descriptors for the rest of the process.
    static func connections(descriptors: Int) -> Int {
        let kept = min(max(descriptors / 4, reserve.lowerBound), reserve.upperBound)
        return min(max(descriptors - kept, 8), mostConnections)
    }

    /// How many descriptors the system gives to this process.
    static var descriptorLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        // POSIX promises 20; unlimited does not fit a number of connections.
        guard result == 0 else { return 20 }
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}
