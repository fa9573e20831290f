import Foundation

/// What the load itself took, and whether it was what set the pace.
struct ClientUse: Sendable {
    /// Client processes.
    let processes: Int
    /// Processors at work for the client, on average: 1.5 of 2.
    let processors: Double
    /// The share of the whole machine that was at work, 0 to 1; nil where the system does not tell.
    let machineShare: Double?
    let cores: Int
    /// How late the client came to what was due a hundred times a second (p99), in milliseconds; nil where it was not seen once.
    let lateness: Double?

    enum Verdict: Sendable, Hashable {
        case fine
        /// The machine had time, and the client came late: more processes may help.
        case clientIsLate
        /// The machine had no time left, and the client took the larger part of it.
        case clientTakesMost
        /// The machine had no time left; the client took the smaller part of it.
        case machineIsFull
    }

    /// Longer than an idle machine ever lets a task wait.
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

    /// How many processes come to what is due in time, perhaps; nil where no more may be, or where more would not help.
    func moreProcesses(most: Int) -> Int? {
        verdict == .clientIsLate && processes < most ? min(2 * processes, most) : nil
    }

    /// For people; nil where there is nothing to say.
    var advice: String? {
        let taken = "\(Figure.decimal(processors, digits: 1)) of \(cores) processors"
        switch verdict {
        case .fine: return nil
        case .clientIsLate:
            return
                "The client is the bottleneck: it came \(Figure.milliseconds(lateness ?? 0)) late (p99) to what was due. Add --processes, or load from another machine."
        case .clientTakesMost:
            return
                "The client is the bottleneck: it took \(taken), more than the server was left. Load from another machine."
        case .machineIsFull:
            return
                "The machine was at work without a pause, of which the client took \(taken): the figures are of both together."
        }
    }
}

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
