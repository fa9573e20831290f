import AviaryDomain
import Foundation

/// The time by which a store forgets. It passes as the machine's monotonic clock does, and follows the system's clock, which may be
/// wrong, slowly: an hour of running gains a day at most, and only when the system's clock was ahead all the time.
///
/// The monotonic clock leaves out the time in which the machine is suspended. That it was suspended, and for how long, is known from the
/// same battery clock as the system's time, so it is believed no sooner than that.
///
/// What is remembered of the time of a commit is this clock's, not the system's at that moment: each mark says which commit was the
/// last one at a time. So a commit that was made while the system's clock was wrong is kept as long as any other. What is gained makes
/// only those commits older that were there before the system's clock was seen ahead: the time that passed unseen was theirs.
struct StoreClock: Sendable, Hashable {
    struct Mark: Sendable, Hashable {
        let commit: Int64
        let time: Int64
    }

    // All times are milliseconds.
    private static let hour: Int64 = 3_600_000
    /// Nearer than this the system's clock is followed at once, by a tenth of the time that passes.
    private static let tolerance: Int64 = 60_000
    /// What an hour of running can gain.
    private static let gain: Int64 = 24 * hour
    /// Between two looks no more counts as time in which the system's clock was ahead: nobody looked.
    private static let longestLook: Int64 = 60_000
    private static let markDistance: Int64 = 1000
    /// Older marks lie farther apart: what they say is late by no more than this part of their age.
    private static let markPrecision: Int64 = 64
    /// The year 9999: what is read is below it, so that no sum overflows.
    private static let latest: Int64 = 253_402_300_800_000

    /// Since 1970. Never less than it was.
    private(set) var time: Int64
    /// As ``time``, without what was gained.
    private(set) var running: Int64
    /// For how long the store ran while the system's clock was ahead, since it gained the last time.
    private(set) var lead: Int64 = 0
    /// The last commit before the system's clock was seen ahead; nil when it is not.
    private(set) var lastBeforeLead: Int64?
    /// Both numbers grow.
    private(set) var marks: [Mark] = []
    private var lastLook: MonotonicTime
    private var written: Int64

    init(at wall: Date, uptime: MonotonicTime) {
        time = min(max(0, wall.milliseconds), Self.latest)
        written = time
        running = time
        lastLook = uptime
    }

    /// To be called often: at each batch, and while nobody waits.
    ///
    /// - Parameter wall: The system's time.
    mutating func advance(to wall: Date, at uptime: MonotonicTime) {
        let wall = min(max(0, wall.milliseconds), Self.latest)
        let elapsed = uptime > lastLook ? Int64((uptime.nanoseconds - lastLook.nanoseconds) / 1_000_000) : 0
        // What is no whole millisecond yet counts the next time.
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

    /// Notes that the commit, and all before it, is on disk now.
    mutating func note(_ commit: Int64) {
        guard commit > marks.last?.commit ?? 0 else { return }
        if marks.count > 1, time - marks[marks.count - 2].time < Self.markDistance { marks.removeLast() }
        marks.append(Mark(commit: commit, time: time))
    }

    /// The last of the commits that were on disk so long ago; 0 when there were none.
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

// In the store's file.
extension StoreClock {
    private static let pauseBetweenWrites: Int64 = 600_000

    /// Whether the file should be told soon: a process that is killed loses what it was not told.
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

    /// Nil for anything but what ``write(to:)`` writes.
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

    /// Creates the clock of a file that was written by a version without it, from the times of its commits.
    private init(fromCommitsOf connection: any Connection, at wall: Date, uptime: MonotonicTime) throws {
        self.init(at: wall, uptime: uptime)
        marks = try Self.marks(ofCommitsIn: connection, until: time)
        if let last = marks.last { (time, running, written) = (last.time, last.time, last.time) }
    }

    /// Returns this clock with the marks of the commits that a restored file has.
    func remarked(byCommitsIn connection: any Connection) throws -> StoreClock {
        var clock = self
        clock.marks = try Self.marks(ofCommitsIn: connection, until: time)
        if lastBeforeLead != nil { clock.lastBeforeLead = clock.marks.last?.commit ?? 0 }
        return clock
    }

    /// Returns marks made of the times that commits are stamped with, leaving out those later than a time.
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
