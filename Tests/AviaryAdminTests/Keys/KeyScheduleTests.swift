import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Key schedule")
struct KeyScheduleTests {
    private let a = KeyID(seconds: 1_000_000)
    private let b = KeyID(seconds: 2_000_000)
    private let c = KeyID(seconds: 3_000_000)

    @Test("A single key is used immediately, also while the clock is before its creation")
    func single() {
        #expect(KeySchedule([a]).current(at: time(1_000_000)) == a)
        #expect(KeySchedule([a]).current(at: time(0)) == a)
        #expect(KeySchedule([a]).use(of: a, at: time(0)) == .used)
        #expect(KeySchedule([]).current(at: time(0)) == nil)
    }

    @Test("A new key is accepted for ten seconds before it is used")
    func accepted() {
        let schedule = KeySchedule([b, a])
        #expect(schedule.current(at: time(2_000_009)) == a)
        #expect(schedule.use(of: b, at: time(2_000_009)) == .accepted(usedFrom: time(2_000_010)))
        #expect(schedule.current(at: time(2_000_010)) == b)
        #expect(schedule.use(of: b, at: time(2_000_010)) == .used)
    }

    @Test("An old key remains valid for eight days after its last use and is then retired")
    func former() {
        let schedule = KeySchedule([a, b])
        let end = time(2_000_010 + 8 * 86_400)
        #expect(schedule.use(of: a, at: time(2_000_010)) == .former(neededUntil: end))
        #expect(schedule.retired(at: end.addingTimeInterval(-1)) == [])
        #expect(schedule.retired(at: end) == [a])
    }

    @Test("The current key and future keys are never retired")
    func kept() {
        let schedule = KeySchedule([a, b, c])
        #expect(schedule.retired(at: time(UInt32.max)) == [a, b])
        #expect(schedule.retired(at: time(3_000_000)) == [a])
        #expect(schedule.retired(at: time(0)) == [])
    }

    @Test("Drafts expire before the key that sealed them is retired")
    func drafts() {
        #expect(KeySchedule.retirement > 7 * 86_400)
    }

    private func time(_ seconds: UInt32) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
}
