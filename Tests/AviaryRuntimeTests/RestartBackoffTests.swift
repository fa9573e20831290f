import Testing

@testable import AviaryRuntime

@Suite("The wait before a process is started again")
struct RestartBackoffTests {
    @Test("Deaths before readiness make it longer and longer, up to two seconds; the fifth in a row is a crash loop")
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

    @Test("Readiness resets it: four deaths, readiness and four deaths are no crash loop")
    func resetsAtReadiness() {
        var backoff = RestartBackoff()
        for _ in 0..<4 { _ = backoff.died(after: nil) }
        backoff.ready()
        #expect(backoff.deathsInARow == 0)
        #expect(backoff.died(after: nil) == .milliseconds(50))
        for _ in 0..<3 { _ = backoff.died(after: nil) }
        #expect(!backoff.isCrashLoop)
    }

    @Test("After a long life there is none")
    func longLife() {
        var backoff = RestartBackoff()
        #expect(backoff.died(after: RestartBackoff.longLife) == .zero)
        #expect(backoff.died(after: .seconds(3600)) == .zero)
    }

    @Test(
        "A process that becomes ready and dies at once, for ever, is no crash loop and is started at most five times a second"
    )
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

    @Test(
        "What ends by itself soon after it was ready waits longer and longer, up to five seconds, until it lives for long"
    )
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

    @Test("While the system has no room for a process the tries become rare, and a start resets that")
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
