import Foundation

/// The resources that the client used, which show whether the client was the bottleneck.
struct ClientUtilization: Sendable {
    /// The number of client processes.
    let processes: Int
    /// The average number of processors that the client used, such as 1.5 of 2.
    let processors: Double
    /// The share of the whole machine that was busy, 0 to 1; nil when the system does not report it.
    let machineShare: Double?
    let cores: Int
    /// The 99th percentile of the client's delay in milliseconds, measured a hundred times a second; nil when
    /// nothing was measured.
    let lateness: Double?

    enum Verdict: Sendable, Hashable {
        case fine
        /// A client that was late although the machine had idle time. More processes may help.
        case clientIsLate
        /// A client that used the larger part of a machine without idle time.
        case clientTakesMost
        /// A client that used the smaller part of a machine without idle time.
        case machineIsFull
    }

    /// The delay in milliseconds above which the client is late: longer than an idle machine ever lets a task wait.
    private static let mostLateness = 10.0
    private static let full = 0.92

    var verdict: Verdict {
        let share = processors / Double(cores)
        if let machineShare, machineShare >= Self.full {
            return share >= machineShare / 2 ? .clientTakesMost : .machineIsFull
        }
        if let lateness, lateness > Self.mostLateness { return .clientIsLate }
        return .fine
    }

    var isBottleneck: Bool { verdict == .clientIsLate || verdict == .clientTakesMost }

    /// Returns a number of processes that may suffice; nil when no more are allowed or when more would not help.
    ///
    /// - Parameter most: The maximum number of processes.
    func moreProcesses(most: Int) -> Int? {
        verdict == .clientIsLate && processes < most ? min(2 * processes, most) : nil
    }

    /// A recommendation for the user; nil when there is none.
    var advice: String? {
        let taken = "\(NumberFormat.decimal(processors, digits: 1)) of \(cores) processors"
        switch verdict {
        case .fine: return nil
        case .clientIsLate:
            return
                "The client is the bottleneck: it came \(NumberFormat.milliseconds(lateness ?? 0)) late (p99) to what was due. Add --processes, or load from another machine."
        case .clientTakesMost:
            return
                "The client is the bottleneck: it took \(taken), more than the server was left. Load from another machine."
        case .machineIsFull:
            return
                "The machine was at work without a pause, of which the client took \(taken): the figures are of both together."
        }
    }
}

/// Processor times in seconds.
enum ProcessorTime {
    #if canImport(Glibc)
        private static let own = Int32(RUSAGE_SELF.rawValue)
    #else
        private static let own = RUSAGE_SELF
    #endif

    /// The processor time of all threads of this process since it started.
    static var ofThisProcess: Double {
        var usage = rusage()
        guard getrusage(Self.own, &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The processor times of the whole machine since it started: the busy time, and the sum of busy and idle time.
    /// Nil when the system does not report them.
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
