import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Wrong system time")
struct WrongClockTests {
    private static let day = MovableClock.day

    enum Moment: CaseIterable { case running, start }

    @Test(
        "A system time that is 400 days off for ten seconds deletes neither records nor receipts",
        arguments: [400, -400], Moment.allCases)
    func wrong(days: Double, moment: Moment) async throws {
        let machine = MovableClock()
        let temporary = TemporaryDirectory()
        let schema = try Schema([Category.schema, Animal.schema] + Schema.builtIn)
        func open() async throws -> StoreFixture {
            let fixture = try StoreFixture(schema, in: temporary, now: { machine.wall }, uptime: { machine.uptime })
            await fixture.store.stopTimer()
            return fixture
        }
        var fixture = try await open()
        var made = try await make(fixture, at: machine.wall)
        machine.pass(2 * Self.day)
        made += try await make(fixture, at: machine.wall)
        if moment == .start {
            await fixture.store.close()
            machine.jump(days * Self.day)
            fixture = try await open()
        } else {
            machine.jump(days * Self.day)
        }
        for _ in 0..<10 {
            machine.pass(1)
            made += try await make(fixture, at: machine.wall)
            try await performMaintenance(for: fixture)
        }
        machine.jump(-days * Self.day)
        for _ in 0..<10 {
            machine.pass(60)
            made += try await make(fixture, at: machine.wall)
            try await performMaintenance(for: fixture)
        }
        #expect(try fixture.rowCount("aviary_change") == made.count)
        #expect(try fixture.rowCount("aviary_commit") == 2 * made.count)
        #expect(try await fixture.count(AccountSession.self) == made.count)
        #expect(try await fixture.count(AuditEvent.self) == made.count)
        #expect(try await fixture.count(SignInLink.self) == made.count - 1, "all but the one that ended a day ago")
        for item in made {
            #expect(try await fixture.store.submit(item.saved).isRepeat)
            #expect(await fixture.refusal(Animal(name: "ghost").insertion, id: item.discarded) == .alreadyDiscarded)
        }
        let reported = try await fixture.history.commits(HistoryQuery(models: ["Animal"], limit: 1000))
        #expect(reported.map(\.changeSet) == made.reversed().map(\.saved.id))
        #expect(try await fixture.totalsMatch())
        await fixture.store.close()
    }

    @Test(
        "Expired data is removed in time, even if the data was created while the clock was wrong",
        arguments: [400, -400])
    func inTime(days: Double) async throws {
        let machine = MovableClock()
        let schema = try Schema([Animal.schema, Category.schema] + Schema.builtIn)
        let fixture = try StoreFixture(schema, now: { machine.wall }, uptime: { machine.uptime })
        await fixture.store.stopTimer()
        machine.jump(days * Self.day)
        machine.pass(5)
        _ = try await make(fixture, at: machine.wall - days * Self.day)
        machine.jump(-days * Self.day)
        machine.pass(364 * Self.day)
        _ = try await fixture.insert(Animal(name: "almost"))
        #expect(try fixture.rowCount("aviary_change") == 2)
        machine.pass(2 * Self.day)
        try await performMaintenance(for: fixture)
        _ = try await fixture.insert(Animal(name: "later"))
        #expect(try fixture.rowCount("aviary_change") == 2)
        #expect(try await fixture.count(AuditEvent.self) == 0)
        #expect(try await fixture.count(AccountSession.self) == 0)
        #expect(try fixture.rowCount("aviary_discard") == 0)
        await fixture.store.close()
    }

    @Test("A store that was off for a month trims old history after several hours")
    func off() async throws {
        let machine = MovableClock()
        let temporary = TemporaryDirectory()
        let policy = HistoryPolicy(maximumAge: .seconds(20 * 86_400))
        func open() async throws -> StoreFixture {
            let fixture = try StoreFixture(
                .lists(), history: policy, in: temporary, now: { machine.wall }, uptime: { machine.uptime })
            await fixture.store.stopTimer()
            return fixture
        }
        let first = try await open()
        try await first.insert(Animal(name: "old"))
        await first.store.close()
        machine.switchOff(for: 30 * Self.day)
        let second = try await open()
        try await second.insert(Animal(name: "new"))
        func run(_ hours: Int) async throws -> Int {
            for _ in 0..<hours * 60 {
                machine.pass(60)
                await second.store.checkClocks()
            }
            try await performMaintenance(for: second)
            return try second.rowCount("aviary_change")
        }
        #expect(try await run(10) == 2)
        #expect(try await run(12) == 1)
        #expect(try await run(20) == 1)
        await second.store.close()
    }

    @Test("The newest receipts are kept regardless of their age")
    func count() async throws {
        let machine = MovableClock()
        let fixture = try StoreFixture(
            .lists(), history: HistoryPolicy(maximumAge: .seconds(60)), now: { machine.wall }, leastReceipts: 3)
        for number in 0..<5 { try await fixture.insert(Animal(name: "\(number)")) }
        machine.pass(9 * Self.day)
        for number in 0..<5 { try await fixture.store.discard(draft: .version7(at: machine.wall + Double(number))) }
        #expect(
            try fixture.readers.read { try $0.rows("SELECT number FROM aviary_commit") { $0.integer(0) } } == [3, 4, 5])
    }

    private struct Made {
        let saved: ChangeSet
        let discarded: UUID
    }

    /// Creates a save with an entry in the history, a discarded draft, and a record of each kind that expires.
    private func make(_ fixture: StoreFixture, at time: Date) async throws -> [Made] {
        let saved = ChangeSet(Animal(name: "Okapi").insertion, id: .version7(at: time))
        _ = try await fixture.store.submit(saved)
        let discarded = UUID.version7(at: time)
        try await fixture.store.discard(draft: discarded)
        try await fixture.insert(
            AuditEvent(.signIn, at: time, account: "ada"),
            SignInLink(id: RecordID(), account: nil, expiresAt: time + 60),
            AccountSession(id: RecordID(), account: UUID(), epoch: 1, at: time, address: "", userAgent: ""))
        return [Made(saved: saved, discarded: discarded)]
    }

    private func performMaintenance(for fixture: StoreFixture) async throws {
        for round in 1...5 {
            while await fixture.store.maintenanceStep(at: .now + .seconds(round * 601)) != nil {}
        }
    }
}
