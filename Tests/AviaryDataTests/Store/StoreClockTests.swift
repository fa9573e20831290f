import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Store clock")
struct StoreClockTests {
    private static let day: TimeInterval = 86_400
    private let machine = MovableClock()

    private func clock() -> StoreClock { StoreClock(at: machine.wall, uptime: machine.uptime) }

    private func look(_ clock: inout StoreClock, every step: TimeInterval = 60, for seconds: TimeInterval) {
        for _ in 0..<Int(seconds / step) {
            machine.pass(step)
            clock.advance(to: machine.wall, at: machine.uptime)
        }
    }

    private func days(_ clock: StoreClock) -> Double { clock.date.timeIntervalSince(MovableClock.start) / Self.day }

    @Test("The store clock equals the system time while both clocks of the machine agree")
    func agreement() {
        var clock = clock()
        look(&clock, every: 400 * Self.day, for: 800 * Self.day)
        #expect(clock.date == machine.wall)
    }

    @Test("A jump of the system time that lasts less than an hour leaves no trace")
    func jump() {
        var clock = clock()
        clock.note(1)
        machine.jump(400 * Self.day)
        look(&clock, for: 3500)
        machine.jump(-400 * Self.day)
        look(&clock, for: 3600)
        #expect(clock.date == machine.wall)
        #expect(clock.lastCommit(before: 8000) == 0)
        #expect(clock.lastCommit(before: 7000) == 1)
    }

    @Test("A jump of the system time is not adopted sooner if the clock advances in long steps")
    func seldom() {
        var clock = clock()
        machine.jump(400 * Self.day)
        look(&clock, every: 7200, for: 14 * 3600)
        #expect(days(clock) < 1)
    }

    @Test("The store clock gains one day per hour while the system time is ahead")
    func gain() {
        var clock = clock()
        machine.jump(30 * Self.day)
        look(&clock, for: 10.5 * 3600)
        #expect((10...10.6).contains(days(clock)))
        look(&clock, for: 30 * 3600)
        #expect(clock.date == machine.wall)
    }

    @Test("The gained time does not age commits that were made since the jump")
    func madeSince() {
        var clock = clock()
        clock.note(1)
        machine.jump(30 * Self.day)
        look(&clock, for: 120)
        clock.note(2)
        look(&clock, for: 10 * 3600)
        #expect(clock.lastCommit(before: 5 * Self.day) == 1)
        #expect(clock.lastCommit(before: 9 * 3600) == 2)
        look(&clock, for: 40 * 3600)
        #expect(clock.lastCommit(before: 3 * Self.day) == 1)
    }

    @Test("The store clock corrects a small difference by a tenth of the elapsed time")
    func drift() {
        var clock = clock()
        machine.jump(30)
        look(&clock, every: 10, for: 290)
        #expect(clock.date < machine.wall)
        look(&clock, every: 10, for: 20)
        #expect(clock.date == machine.wall)
    }

    @Test("The store clock follows the uptime while the system time is behind")
    func behind() {
        var clock = clock()
        clock.note(1)
        machine.jump(-400 * Self.day)
        look(&clock, for: Self.day)
        #expect(days(clock) == 1)
        #expect(clock.lastCommit(before: Self.day) == 1)
        #expect(clock.lastCommit(before: Self.day + 1) == 0)
    }

    @Test("An uptime that restarts does not count as elapsed time")
    func restarted() {
        var clock = clock()
        machine.switchOff(for: 20)
        clock.advance(to: machine.wall, at: machine.uptime)
        #expect(days(clock) == 0)
    }

    @Test("A stored clock keeps the approximate age of commits in few marks")
    func stored() async throws {
        var clock = clock()
        for commit in 1...5000 {
            look(&clock, every: 3600, for: 2 * 3600)
            clock.note(Int64(commit))
        }
        let fixture = try StoreFixture.lists()
        let before = clock
        clock = try await fixture.store.stored(clock, at: machine)
        #expect(clock.marks.count < 1000)
        for days in [1.0, 8, 100, 400] {
            let (exact, kept) = (
                before.lastCommit(before: days * Self.day), clock.lastCommit(before: days * Self.day)
            )
            #expect(kept <= exact)
            #expect(exact - kept <= Int64(days * 12 / 64) + 1)
        }
        look(&clock, for: 3600)
        #expect(clock.date == machine.wall)
    }

    @Test("A file without a stored clock derives the clock from its commits")
    func earlierFile() async throws {
        let machine = machine
        let temporary = TemporaryDirectory()
        let first = try StoreFixture(.lists(), in: temporary, now: { machine.wall })
        for number in 0..<20 {
            try await first.insert(Animal(name: "\(number)"))
            machine.pass(Self.day)
        }
        // Two commits have the timestamps of a wrong clock. They do not change the age of any other.
        try await first.store.configure { connection in
            try connection.run("UPDATE aviary_commit SET time = 1 WHERE number = 10")
            try connection.run("UPDATE aviary_commit SET time = 99999999999999 WHERE number = 15")
            try connection.run("DELETE FROM aviary_meta WHERE key = 'clock'")
        }
        let clock = try await first.store.readClock()
        #expect(clock.date == machine.wall - Self.day)
        #expect(clock.lastCommit(before: 8 * Self.day) == 12)
        #expect(clock.lastCommit(before: 10 * Self.day) == 10)
        #expect(clock.lastCommit(before: 100 * Self.day) == 0)
    }

    @Test("An invalid stored clock has no marks", arguments: ["", "1", "9 9 0 -1 5 99", "a b c d", "-5 0 0 -1"])
    func foreign(text: String) async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.store.configure { try MetaTable.set(.clock, to: .text(text), in: $0) }
        #expect(try await fixture.store.readClock().marks.isEmpty)
    }
}

extension Store {
    /// Returns the clock as the next store reads it.
    func stored(_ clock: StoreClock, at machine: MovableClock) throws -> StoreClock {
        var clock = clock
        try clock.write(to: connection)
        return try StoreClock.read(from: connection, at: machine.wall, uptime: machine.uptime)
    }

    func readClock() throws -> StoreClock { try StoreClock.read(from: connection, at: now(), uptime: uptime()) }
}
