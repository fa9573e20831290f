import AviaryDomain
import Foundation
import Testing

@Suite("How long a session lasts")
struct SessionLimitTests {
    private let limits = SessionLimits()
    private let began = Date(timeIntervalSince1970: 1_800_000_000)

    private func session(lastSeen: TimeInterval) -> AccountSession {
        var session = AccountSession(
            id: RecordID(UUID()), account: UUID(), epoch: 1, at: began, address: "", userAgent: "")
        session.lastSeenAt = began.addingTimeInterval(lastSeen)
        return session
    }

    @Test("It ends eight hours after it was last seen")
    func idle() {
        let session = session(lastSeen: 1000)
        #expect(!limits.isOver(session, at: began.addingTimeInterval(1000 + 8 * 3600)))
        #expect(limits.isOver(session, at: began.addingTimeInterval(1001 + 8 * 3600)))
    }

    @Test("It ends after seven days however busy it is")
    func absolute() {
        let week = 7 * 86_400.0
        let session = session(lastSeen: week)
        #expect(!limits.isOver(session, at: began.addingTimeInterval(week)))
        #expect(limits.isOver(session, at: began.addingTimeInterval(week + 1)))
    }

    @Test("Set forward by an hour the clock ends no session that is used; by a year it ends all")
    func clockSetForward() {
        #expect(!limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(3600)))
        #expect(limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(365 * 86_400)))
    }

    @Test("Set back by a year it lets no session live for ever")
    func clockSetBack() {
        #expect(!limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(-3600)))
        #expect(limits.isOver(session(lastSeen: 0), at: began.addingTimeInterval(-365 * 86_400)))
    }

    @Test("For a week after its end it is remembered, so that a form it sends is kept")
    func remembered() {
        let end = began.addingTimeInterval(8 * 3600)
        #expect(!limits.isForgotten(session(lastSeen: 0), at: end.addingTimeInterval(7 * 86_400)))
        #expect(limits.isForgotten(session(lastSeen: 0), at: end.addingTimeInterval(7 * 86_400 + 1)))
    }

    @Test("The password that was given counts for five minutes, and for no longer when the clock is set back")
    func proof() {
        var session = session(lastSeen: 0)
        #expect(!session.isProven(at: began))
        session.provenAt = began
        #expect(session.isProven(at: began) && session.isProven(at: began.addingTimeInterval(299)))
        #expect(!session.isProven(at: began.addingTimeInterval(300)))
        #expect(!session.isProven(at: began.addingTimeInterval(-300)))
    }

    @Test("It is noted as seen once a minute, not with every request")
    func precision() {
        #expect(!limits.isDue(session(lastSeen: 0), at: began.addingTimeInterval(60)))
        #expect(limits.isDue(session(lastSeen: 0), at: began.addingTimeInterval(61)))
    }
}
