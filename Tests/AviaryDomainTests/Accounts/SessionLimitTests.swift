import AviaryDomain
import Foundation
import Testing

@Suite("Session lifetime")
struct SessionLimitTests {
    private let limits = SessionLimits()
    private let began = Date(timeIntervalSince1970: 1_800_000_000)

    private func session(lastSeen: TimeInterval) -> AccountSession {
        var session = AccountSession(
            id: RecordID(UUID()), account: UUID(), epoch: 1, at: began, address: "", userAgent: "")
        session.lastSeenAt = began.addingTimeInterval(lastSeen)
        return session
    }

    @Test("A session ends eight hours after its last use")
    func idle() {
        let session = session(lastSeen: 1000)
        #expect(!limits.isOver(session, at: began.addingTimeInterval(1000 + 8 * 3600)))
        #expect(limits.isOver(session, at: began.addingTimeInterval(1001 + 8 * 3600)))
    }

    @Test("A session ends after seven days, even if it is in use")
    func absolute() {
        let week = 7 * 86_400.0
        let session = session(lastSeen: week)
        #expect(!limits.isOver(session, at: began.addingTimeInterval(week)))
        #expect(limits.isOver(session, at: began.addingTimeInterval(week + 1)))
    }

    @Test("A clock set forward by an hour ends no session, and by a year ends every session")
    func clockSetForward() {
        #expect(!limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(3600)))
        #expect(limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(365 * 86_400)))
    }

    @Test("A clock set back by a year ends a session")
    func clockSetBack() {
        #expect(!limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(-3600)))
        #expect(limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(-365 * 86_400)))
    }

    @Test("An ended session is remembered for a week")
    func remembered() {
        let end = began.addingTimeInterval(8 * 3600)
        #expect(!limits.isForgotten(session(lastSeen: 0), at: end.addingTimeInterval(7 * 86_400)))
        #expect(limits.isForgotten(session(lastSeen: 0), at: end.addingTimeInterval(7 * 86_400 + 1)))
    }

    @Test("A password confirmation is valid for five minutes, even if the clock is set back")
    func proof() {
        var session = session(lastSeen: 0)
        #expect(!session.isProven(at: began))
        session.provenAt = began
        #expect(session.isProven(at: began) && session.isProven(at: began.addingTimeInterval(299)))
        #expect(!session.isProven(at: began.addingTimeInterval(300)))
        #expect(!session.isProven(at: began.addingTimeInterval(-300)))
    }

    @Test("The time of last use is updated at most once a minute")
    func precision() {
        #expect(!limits.isDue(session(lastSeen: 0), at: began.addingTimeInterval(60)))
        #expect(limits.isDue(session(lastSeen: 0), at: began.addingTimeInterval(61)))
    }

    @Test("Until a session is due to be seen, or over, its state is known in advance")
    func unchanged() throws {
        let session = session(lastSeen: 1000)
        for second in stride(from: 1000.0, to: 1060, by: 7.5) {
            let now = began.addingTimeInterval(second)
            let times = try #require(limits.unchangedTimes(of: session, at: now))
            #expect(times == now..<began.addingTimeInterval(1060))
        }
        for second: TimeInterval in [-86_400, 900, 1060, 1061, 1000 + 9 * 3600, 8 * 86_400] {
            #expect(limits.unchangedTimes(of: session, at: began.addingTimeInterval(second)) == nil)
        }
        let week = 7 * 86_400.0
        let old = self.session(lastSeen: week - 10)
        let times = limits.unchangedTimes(of: old, at: began.addingTimeInterval(week - 1))
        #expect(times?.upperBound == began.addingTimeInterval(week))
    }
}
