#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A time of the system's monotonic clock, in nanoseconds. All processes of a machine share this clock, and it never
/// goes backwards.
package struct MonotonicTime: Sendable, Hashable, Comparable {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        // A time that was received over a socket may have any value, so the sum may overflow.
        let (sum, isOver) = Int64(clamping: nanoseconds).addingReportingOverflow(
            seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return MonotonicTime(nanoseconds: isOver ? UInt64(Int64.max) : UInt64(max(0, sum)))
    }

    /// The remaining time, which is never negative.
    package var remaining: Duration {
        let now = Self.now.nanoseconds
        return .nanoseconds(nanoseconds > now ? Int64(clamping: nanoseconds - now) : 0)
    }

    package var isPast: Bool { self <= .now }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
