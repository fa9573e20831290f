import AviaryDomain
import Foundation
import Testing

@Suite("Delay after failed sign-ins")
struct SignInThrottleTests {
    private let throttle = SignInThrottle.account
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func attempts(_ failures: Int, ago: TimeInterval = 0) -> SignInAttempts {
        SignInAttempts(id: RecordID(UUID()), failures: failures, lastFailureAt: now.addingTimeInterval(-ago))
    }

    @Test("The first failures cause no delay")
    func free() {
        #expect(throttle.wait(after: nil, at: now) == 0)
        #expect(throttle.wait(after: attempts(4), at: now) == 0)
    }

    @Test(
        "Each further failure doubles the delay, up to a bound",
        arguments: [(5, 2), (6, 4), (7, 8), (12, 256), (13, 300), (1000, 300)])
    func doubling(failures: Int, wait: Int) {
        #expect(throttle.wait(after: attempts(failures), at: now) == wait)
    }

    @Test("Elapsed time reduces the delay")
    func passing() {
        #expect(throttle.wait(after: attempts(7, ago: 5), at: now) == 3)
        #expect(throttle.wait(after: attempts(7, ago: 8), at: now) == 0)
    }

    @Test("Failures expire after an hour")
    func forgotten() {
        #expect(throttle.failures(of: attempts(50, ago: 3599), at: now) == 50)
        #expect(throttle.failures(of: attempts(50, ago: 3600), at: now) == 0)
    }

    @Test("A clock set back by an hour or a year locks out no account", arguments: [3600.0, 31_536_000])
    func clockSetBack(by seconds: TimeInterval) {
        #expect(throttle.wait(after: attempts(50, ago: -seconds), at: now) == 0)
    }

    @Test("The delay never exceeds five minutes")
    func bounded() {
        #expect((0...100).allSatisfy { throttle.wait(after: attempts($0), at: now) <= 300 })
    }
}
