import AviaryDomain
import Foundation
import Synchronization

/// The two clocks of a machine, controlled by a test: the system time, which may jump, and the monotonic time.
final class MovableClock: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let day: TimeInterval = 86_400

    private let state: Mutex<(wall: Date, uptime: TimeInterval)>

    init(_ wall: Date = start) {
        state = Mutex((wall, 1_000_000))
    }

    var wall: Date { state.withLock { $0.wall } }
    var uptime: MonotonicTime {
        MonotonicTime(nanoseconds: state.withLock { UInt64($0.uptime * 1000) } * 1_000_000)
    }

    /// Advances both clocks.
    func pass(_ seconds: TimeInterval) {
        state.withLock { $0 = ($0.wall + seconds, $0.uptime + seconds) }
    }

    /// Changes only the system time.
    func jump(_ seconds: TimeInterval) {
        state.withLock { $0.wall += seconds }
    }

    /// Switches the machine off for a time, so that its uptime restarts.
    func switchOff(for seconds: TimeInterval) {
        state.withLock { $0 = ($0.wall + seconds, 10) }
    }
}

/// A counter that many threads change.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        number.add(amount, ordering: .relaxed).newValue
    }

    func raise(to value: Int) {
        number.max(value, ordering: .relaxed)
    }
}
