import Testing

@testable import AviaryRuntime

@Suite("Restart backoff")
struct RestartBackoffTests {
    @Test("Deaths before readiness double the wait up to two seconds, and the fifth in a row is a crash loop")
    func beforeReadiness() {
        var backoff = RestartBackoff()
        var waits: [Duration] = []
        for death in 1...5 {
            #expect(backoff.isCrashLoop == false)
            waits.append(backoff.died(after: nil))
            #expect(backoff.deathsInARow == death)
        }
        #expect(
            waits == [
                .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800),
            ])
        #expect(backoff.isCrashLoop)
        for _ in 0..<100 { #expect(backoff.died(after: nil) <= .seconds(2)) }
    }

    @Test("Readiness resets the backoff")
    func resetsAtReadiness() {
        var backoff = RestartBackoff()
        for _ in 0..<4 { _ = backoff.died(after: nil) }
        backoff.ready()
        #expect(backoff.deathsInARow == 0)
        #expect(backoff.died(after: nil) == .milliseconds(50))
        for _ in 0..<3 { _ = backoff.died(after: nil) }
        #expect(!backoff.isCrashLoop)
    }

    @Test("A death after a long life causes no wait")
    func longLife() {
        var backoff = RestartBackoff()
        #expect(backoff.died(after: RestartBackoff.longLife) == .zero)
        #expect(backoff.died(after: .seconds(3600)) == .zero)
    }

    @Test("Repeated deaths right after readiness are no crash loop but are limited to five restarts a second")
    func shortLives() {
        var backoff = RestartBackoff()
        var time = Duration.zero
        for _ in 0..<100 {
            backoff.ready()
            time += backoff.died(after: .zero)
        }
        #expect(!backoff.isCrashLoop)
        #expect(time > .seconds(19))
        // After one long life, the next death restarts at once.
        #expect(backoff.died(after: .seconds(5)) == .zero)
        #expect(backoff.died(after: .zero) == .milliseconds(50))
    }

    @Test("Repeated exits soon after readiness double the wait up to five seconds, until a long life")
    func failures() {
        var backoff = RestartBackoff()
        var waits: [Duration] = []
        for _ in 0..<9 {
            backoff.ready()
            waits.append(backoff.died(after: .seconds(3), byItself: true))
        }
        #expect(waits.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(waits.suffix(2) == [.seconds(5), .seconds(5)])
        #expect(!backoff.isCrashLoop)
        #expect(backoff.died(after: .seconds(60), byItself: true) == .zero)
        #expect(backoff.died(after: .seconds(3), byItself: true) == .milliseconds(50))
    }

    @Test("Failed starts double the wait up to two seconds, and a successful start resets it")
    func noRoom() {
        var backoff = RestartBackoff()
        #expect(backoff.recordStartFailure() == .milliseconds(50))
        for _ in 0..<20 { #expect(backoff.recordStartFailure() <= .seconds(2)) }
        #expect(backoff.recordStartFailure() == .seconds(2))
        #expect(!backoff.isCrashLoop)
        backoff.started()
        #expect(backoff.recordStartFailure() == .milliseconds(50))
    }
}
