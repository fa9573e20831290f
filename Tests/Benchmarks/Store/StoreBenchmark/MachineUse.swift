import Foundation

/// What the machine's processors did so far, and how much of it this process did.
struct MachineUse {
    private let total: Double
    private let busy: Double
    private let own: Double

    /// Nil where the system does not tell.
    static var now: MachineUse? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let line = text.split(separator: "\n").first
        else { return nil }
        // User, nice, system, idle, waiting for disks, interrupts (2), stolen; in hundredths of a second.
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard times.count == 8 else { return nil }
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        let total = times.reduce(0, +) / 100
        return MachineUse(
            total: total, busy: total - (times[3] + times[4]) / 100,
            own: Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
        )
    }

    /// The share of the machine that other programs have had since then.
    func others(since earlier: MachineUse) -> Double {
        let others = (busy - earlier.busy) - (own - earlier.own)
        return max(0, others / max(total - earlier.total, 0.01))
    }
}
