import NIOCore

/// Whether bytes keep coming.
///
/// A transfer begins with some seconds of credit. Every byte earns its time at the least rate; what is earned above the
/// first credit is lost, so that nothing that came quickly pays for a long stop.
struct TransferCredit {
    /// When the credit is used up.
    private(set) var deadline: NIODeadline
    private let credit: TimeAmount
    private let leastRate: Int

    init(_ limits: ConnectionLimits, from now: NIODeadline) {
        credit = limits.transfer
        leastRate = max(limits.leastRate, 1)
        deadline = now + credit
    }

    /// Time in which nobody waited for bytes costs nothing.
    mutating func pause(_ time: TimeAmount) {
        deadline = deadline + time
    }

    mutating func earn(_ bytes: Int, at now: NIODeadline) {
        let (nanoseconds, overflow) = Int64(max(bytes, 0)).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = overflow ? credit : .nanoseconds(nanoseconds / Int64(leastRate))
        deadline = min(deadline + min(earned, credit), now + credit)
    }
}
