import AviaryDomain
import Foundation

/// The clock that determines what a store removes because of its age.
///
/// It advances with the machine's monotonic clock and slowly follows the system clock, which may be wrong: in an
/// hour of running it gains at most a day, and only if the system clock was ahead all the time.
///
/// The monotonic clock stops while the machine is suspended. The suspension and its duration are known only from
/// the same battery-powered clock as the system time, so the clock trusts them no sooner than that.
///
/// The store records the times of commits by this clock, not by the system clock: each mark says which commit was
/// the last one at a time. A commit that was made while the system clock was wrong is therefore kept as long as any
/// other. A gain makes only those commits older that existed before the system clock was seen ahead, because the
/// time that passed unseen passed for them.
struct StoreClock: Sendable, Hashable {
    struct Mark: Sendable, Hashable {
        let commit: Int64
        let time: Int64
    }

    // All times are in milliseconds.
    private static let hour: Int64 = 3_600_000
    /// The difference within which the clock follows the system clock at once, by a tenth of the elapsed time.
    private static let tolerance: Int64 = 60_000
    /// The maximum gain in an hour of running.
    private static let gain: Int64 = 24 * hour
    /// The maximum time between two updates that counts as time in which the system clock was ahead.
    private static let longestLook: Int64 = 60_000
    private static let markDistance: Int64 = 1000
    /// The inverse of the precision of old marks: the error of a mark is at most this fraction of its age.
    private static let markPrecision: Int64 = 64
    /// The year 9999. All times are below it, so that no sum overflows.
    private static let latest: Int64 = 253_402_300_800_000

    /// The time since 1970. It never decreases.
    private(set) var time: Int64
    /// The time like ``time``, without gains.
    private(set) var running: Int64
    /// The time for which the store ran while the system clock was ahead, since the last gain.
    private(set) var lead: Int64 = 0
    /// The last commit before the system clock was seen ahead; nil if it is not ahead.
    private(set) var lastBeforeLead: Int64?
    /// The marks, in the order of both their numbers and their times.
    private(set) var marks: [Mark] = []
    private var lastLook: MonotonicTime
    private var written: Int64

    init(at wall: Date, uptime: MonotonicTime) {
        time = min(max(0, wall.milliseconds), Self.latest)
        written = time
        running = time
        lastLook = uptime
    }

    /// Updates the clock. It must be called often: at each batch, and while the store is idle.
    ///
    /// - Parameter wall: The system time.
    mutating func advance(to wall: Date, at uptime: MonotonicTime) {
        let wall = min(max(0, wall.milliseconds), Self.latest)
        let elapsed = uptime > lastLook ? Int64((uptime.nanoseconds - lastLook.nanoseconds) / 1_000_000) : 0
        // The fraction of a millisecond counts the next time.
        lastLook = MonotonicTime(nanoseconds: lastLook.nanoseconds + UInt64(elapsed) * 1_000_000)
        running = min(Self.latest, running + elapsed)
        time = min(Self.latest, time + elapsed)
        guard wall - time > Self.tolerance else {
            time = max(time, min(wall, time + elapsed / 10))
            (lead, lastBeforeLead) = (0, nil)
            return
        }
        guard let lastBeforeLead else {
            lastBeforeLead = marks.last?.commit ?? 0
            return
        }
        lead += min(elapsed, Self.longestLook)
        guard lead >= Self.hour else { return }
        lead = 0
        gain(min(Self.gain, wall - time), since: lastBeforeLead)
    }

    private mutating func gain(_ gain: Int64, since commit: Int64) {
        time += gain
        marks = marks.map { $0.commit > commit ? Mark(commit: $0.commit, time: $0.time + gain) : $0 }
    }

    /// Notes that the commit, and all before it, are on disk now.
    mutating func note(_ commit: Int64) {
        guard commit > marks.last?.commit ?? 0 else { return }
        if marks.count > 1, time - marks[marks.count - 2].time < Self.markDistance { marks.removeLast() }
        marks.append(Mark(commit: commit, time: time))
    }

    /// Returns the last commit that was on disk at a time in the past; 0 if there was none.
    ///
    /// - Parameter age: The number of seconds before the current time.
    func lastCommit(before age: TimeInterval) -> Int64 {
        let limit = moment(before: age)
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].time <= limit { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : marks[low - 1].commit
    }

    var date: Date { Date(milliseconds: time) }
    var runningDate: Date { Date(milliseconds: running) }

    private func moment(before age: TimeInterval) -> Int64 {
        time - Int64(min(max(0, age * 1000), Double(Self.latest)))
    }
}

// The representation in the store's file.
extension StoreClock {
    private static let pauseBetweenWrites: Int64 = 600_000

    /// Indicates whether the clock should be written soon, because a killed process loses what it has not written.
    var isDue: Bool { time - written >= Self.pauseBetweenWrites }

    mutating func write(to connection: any Connection) throws(EngineError) {
        thin()
        let numbers = [time, running, lead, lastBeforeLead ?? -1] + marks.flatMap { [$0.commit, $0.time] }
        try MetaTable.set(.clock, to: .text(numbers.map(String.init).joined(separator: " ")), in: connection)
        written = time
    }

    private mutating func thin() {
        var kept: [Mark] = []
        for mark in marks.reversed() {
            if let last = kept.last, last.time - mark.time < (time - mark.time) / Self.markPrecision { continue }
            kept.append(mark)
        }
        marks = kept.reversed()
    }

    static func read(from connection: any Connection, at wall: Date, uptime: MonotonicTime) throws -> StoreClock {
        guard case .text(let text) = try MetaTable.value(.clock, in: connection),
            let clock = StoreClock(text, at: wall, uptime: uptime)
        else { return try StoreClock(fromCommitsOf: connection, at: wall, uptime: uptime) }
        return clock
    }

    /// Creates a clock from its text; nil for any text that ``write(to:)`` does not write.
    private init?(_ text: String, at wall: Date, uptime: MonotonicTime) {
        let parts = text.split(separator: " ")
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count, numbers.count >= 4, numbers.count.isMultiple(of: 2),
            numbers.allSatisfy({ $0 >= -1 }), (0...Self.latest).contains(numbers[0]),
            (0...numbers[0]).contains(numbers[1]), (0...Self.hour).contains(numbers[2])
        else { return nil }
        self.init(at: wall, uptime: uptime)
        (time, running, lead, written) = (numbers[0], numbers[1], numbers[2], numbers[0])
        lastBeforeLead = numbers[3] < 0 ? nil : numbers[3]
        for index in stride(from: 4, to: numbers.count, by: 2) {
            let mark = Mark(commit: numbers[index], time: numbers[index + 1])
            guard mark.time <= time, mark.commit > marks.last?.commit ?? -1, mark.time >= marks.last?.time ?? 0 else {
                return nil
            }
            marks.append(mark)
        }
    }

    /// Creates the clock of a file of a version without it, from the times of its commits.
    private init(fromCommitsOf connection: any Connection, at wall: Date, uptime: MonotonicTime) throws {
        self.init(at: wall, uptime: uptime)
        marks = try Self.marks(ofCommitsIn: connection, until: time)
        if let last = marks.last { (time, running, written) = (last.time, last.time, last.time) }
    }

    /// Returns this clock with the marks of a restored file's commits.
    func remarked(byCommitsIn connection: any Connection) throws -> StoreClock {
        var clock = self
        clock.marks = try Self.marks(ofCommitsIn: connection, until: time)
        if lastBeforeLead != nil { clock.lastBeforeLead = clock.marks.last?.commit ?? 0 }
        return clock
    }

    /// Returns marks that are made from the time stamps of commits, without those later than a time.
    private static func marks(ofCommitsIn connection: any Connection, until time: Int64) throws -> [Mark] {
        var marks: [Mark] = []
        var latest: Int64 = 0
        for (commit, stamp) in try CommitTable.sample(256, in: connection) where stamp > 0 && stamp <= time {
            latest = max(latest, stamp)
            if commit > marks.last?.commit ?? 0 { marks.append(Mark(commit: commit, time: latest)) }
        }
        return marks
    }
}
