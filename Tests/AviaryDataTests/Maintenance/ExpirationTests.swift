import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Expired records")
struct ExpirationTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    // The records are written 500 days ago, whatever times they contain.
    private let clock = MovableClock(Self.now - 500 * Self.day)
    private static let day: TimeInterval = 86_400

    @Test("Maintenance removes only expired events, sign-in attempts, sign-in links and sessions")
    func expired() async throws {
        let fixture = try await storeWithoutTimer()
        let limits = SessionLimits.longest
        let keptEvent = event(-364), keptSession = session(seen: -1, began: -2)
        try await fixture.insert(
            event(-366), keptEvent, attempts(-1.1), attempts(-0.9), link(-1.1), link(-0.9), keptSession)
        try await fixture.insert(
            session(seen: -(limits.idle + limits.remembered) / Self.day - 0.1, began: -10),
            session(seen: -0.1, began: -(limits.absolute + limits.remembered) / Self.day - 0.1))
        #expect(try await steps(of: fixture) == [.removedExpired(5)])
        #expect(try await fixture.records(AuditEvent.self).fetchAll().map(\.id) == [keptEvent.id.uuid])
        #expect(try await fixture.records(AccountSession.self).fetchAll().map(\.id) == [keptSession.id.uuid])
        #expect(try await fixture.count(SignInAttempts.self) == 1)
        #expect(try await fixture.count(SignInLink.self) == 1)
        #expect(try await fixture.totalsMatch())
    }

    @Test("The removal of expired records is not a commit and does not affect accounts")
    func quiet() async throws {
        let fixture = try await storeWithoutTimer()
        let saved = ChangeSet(
            event(-400).insertion,
            Account(name: "ada", role: "admin", passwordHash: nil, createdAt: Self.now - 900 * Self.day).insertion)
        let receipt = try await fixture.store.submit(saved)
        _ = try await steps(of: fixture)
        #expect(try await fixture.count(AuditEvent.self) == 0)
        #expect(try await fixture.count(Account.self) == 1)
        #expect(await fixture.store.statistics.lastCommit == receipt.commit)
        #expect(try await fixture.store.submit(saved).isRepeat)
        #expect(try await fixture.insert(event(0)).commit == receipt.commit + 1)
    }

    @Test("Expired records are removed in bounded steps")
    func bounded() async throws {
        let fixture = try await storeWithoutTimer()
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: (0..<450).map { _ in event(-400).insertion }))
        #expect(try await steps(of: fixture) == [.removedExpired(200), .removedExpired(200), .removedExpired(50)])
        #expect(try await fixture.totalsMatch())
    }

    @Test("The oldest events above the limit of their kind are removed")
    func excess() async throws {
        let fixture = try await storeWithoutTimer()
        let events = (1...5).map { event(-Double($0)) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: events.map(\.insertion)))
        let removed = try await fixture.store.removeExpired(eventLimit: 3)
        #expect(removed == 2)
        #expect(
            Set(try await fixture.records(AuditEvent.self).fetchAll().map(\.id)) == Set(events.prefix(3).map(\.id.uuid))
        )
        #expect(try await fixture.totalsMatch())
        #expect(ExpiredRecords.eventLimit == 20_000)
    }

    @Test(
        "Events of one kind do not displace events of another kind",
        arguments: [AuditEvent.Kind.export, .signInFailed, .signOut])
    func kinds(kind: AuditEvent.Kind) async throws {
        let fixture = try await storeWithoutTimer()
        let old = (10...12).map { event(-Double($0)) }
        let many = (1...50).map { AuditEvent(kind, at: time(-Double($0) / 100), account: "eve") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: (old + many).map(\.insertion)))
        #expect(try await fixture.store.removeExpired(eventLimit: 3) == 47)
        #expect(
            Set(try await fixture.records(AuditEvent.self).fetchAll().map(\.id))
                == Set((old + many.prefix(3)).map(\.id.uuid)))
        #expect(try await fixture.totalsMatch())
    }

    @Test("Events of one account do not displace events of another account")
    func accounts() async throws {
        let fixture = try await storeWithoutTimer()
        let others = ["ada", "bob", nil].map { AuditEvent(.export, at: time(-30), account: $0) }
        let many = (1...50).map { AuditEvent(.export, at: time(-Double($0) / 100), account: "eve") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: (others + many).map(\.insertion)))
        #expect(try await fixture.store.removeExpired(eventLimit: 5) == 48)
        #expect(
            Set(try await fixture.records(AuditEvent.self).fetchAll().map(\.id))
                == Set((others + many.prefix(2)).map(\.id.uuid)))
        #expect(try await fixture.totalsMatch())
    }

    @Test("Maintenance looks for expired records every ten minutes")
    func pauses() async throws {
        let fixture = try await storeWithoutTimer()
        let start = ContinuousClock.now
        _ = try await steps(of: fixture, at: start)
        try await fixture.insert(event(-400))
        clock.pass(400 * Self.day)
        #expect(try await steps(of: fixture, at: start + .seconds(300)).isEmpty)
        #expect(try await steps(of: fixture, at: start + .seconds(601)) == [.removedExpired(1)])
    }

    @Test("Maintenance does not look for expired records in a store without built-in models")
    func otherModels() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        #expect(await fixture.store.maintenanceStep() == nil)
    }

    @Test("The history records accounts but never sessions, attempts, links or events")
    func history() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.insert(
            event(0), attempts(0), link(0), session(seen: 0, began: 0),
            Account(name: "ada", role: "admin", passwordHash: "hash", createdAt: Self.now))
        let models = try fixture.readers.read { try $0.rows("SELECT model FROM aviary_change") { $0.text(0) } }
        #expect(models == ["aviary_account"])
    }

    private func storeWithoutTimer() async throws -> StoreFixture {
        let fixture = try StoreFixture(
            Schema([Category.schema, Animal.schema] + Schema.builtIn), now: { [clock] in clock.wall },
            leastReceipts: 100)
        await fixture.store.stopTimer()
        return fixture
    }

    private func steps(of fixture: StoreFixture, at time: ContinuousClock.Instant = .now) async throws
        -> [MaintenanceStep]
    {
        if clock.wall < Self.now { clock.pass(Self.now.timeIntervalSince(clock.wall)) }
        var steps: [MaintenanceStep] = []
        while let step = await fixture.store.maintenanceStep(at: time) { steps.append(step) }
        return steps.filter { $0 != .analyzed }
    }

    private func event(_ days: Double) -> AuditEvent { AuditEvent(.signIn, at: time(days), account: "ada") }
    private func attempts(_ days: Double) -> SignInAttempts {
        SignInAttempts(id: RecordID(), failures: 1, lastFailureAt: time(days))
    }
    private func link(_ days: Double) -> SignInLink { SignInLink(id: RecordID(), account: nil, expiresAt: time(days)) }

    private func session(seen: Double, began: Double) -> AccountSession {
        var session = AccountSession(
            id: RecordID(), account: UUID(), epoch: 1, at: time(began), address: "", userAgent: "")
        session.lastSeenAt = time(seen)
        return session
    }

    private func time(_ days: Double) -> Date { Self.now + days * Self.day }
}

extension Store {
    func removeExpired(eventLimit: Int) throws -> Int {
        checkClocks()
        return try connection.transaction {
            try ExpiredRecords(tables: tables, eventLimit: eventLimit).remove(atMost: 100, by: clock, in: connection)
        }
    }
}
