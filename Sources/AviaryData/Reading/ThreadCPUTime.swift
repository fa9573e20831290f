import Foundation

/// The CPU time of a thread: the time in which it ran, without that in which others did.
///
/// A page of a busy machine needs as much of it as one of an idle machine.
enum ThreadCPUTime {
    /// Since the thread began. Two times of one thread can be compared, no others.
    static var now: Duration {
        var time = timespec()
        // It fails for clocks that there are not; this one is there.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
