import Foundation

/// Seconds of processors.
enum ProcessorTime {
    #if canImport(Glibc)
        private static let own = Int32(RUSAGE_SELF.rawValue)
    #else
        private static let own = RUSAGE_SELF
    #endif

    /// Of all threads of this process, since it began.
    static var ofThisProcess: Double {
        var usage = rusage()
        guard getrusage(Self.own, &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Of the whole machine since it began: those that were at work, and all that there were. Nil where the system does not tell.
    static var ofTheMachine: (busy: Double, all: Double)? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),  // other systems have none
            let line = text.split(separator: "\n").first
        else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard ticks.count == 8 else { return nil }
        let all = ticks.reduce(0, +)
        return (all - ticks[3] - ticks[4], all)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
