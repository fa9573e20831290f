import Testing

@testable import AviaryLoad

@Suite struct ArrivalScheduleTests {
    @Test func turnsAreEvenlySpaced() {
        let start = ContinuousClock.now
        let pace = OpenLoop(start: start, duration: .seconds(10), rate: 4)
        #expect(pace.intendedStart(of: 0) == start)
        #expect(pace.intendedStart(of: 3) == start + .milliseconds(750))
        #expect(pace.unsent.count == 40)
    }

    @Test func whoComesLateGetsTheTimeThatWasMeant() async throws {
        let start = ContinuousClock.now - .seconds(1)
        let pace = OpenLoop(start: start, duration: .seconds(60), rate: 10)
        let turns = [await pace.next(), await pace.next(), await pace.next()]
        #expect(turns == [start, start + .milliseconds(100), start + .milliseconds(200)])
    }

    @Test func nobodyBeginsEarly() async throws {
        let start = ContinuousClock.now
        let pace = OpenLoop(start: start, duration: .seconds(60), rate: 20)
        _ = await pace.next()
        let second = try #require(await pace.next())
        #expect(second == start + .milliseconds(50))
        #expect(ContinuousClock.now >= second)
    }

    @Test("Actions that could not begin are reported with their waiting times")
    func unsent() async {
        let pace = OpenLoop(start: .now - .seconds(2), duration: .seconds(1), rate: 4)
        #expect(await pace.next() == nil)
        #expect(
            Array(pace.unsent) == [.milliseconds(1000), .milliseconds(750), .milliseconds(500), .milliseconds(250)])
    }

    @Test("Unsent actions take no memory, however many there are")
    func manyUnsent() {
        #expect(OpenLoop(start: .now, duration: .seconds(3600), rate: LoadPlan.highestRate).unsent.count == 360_000_000)
    }

    @Test func aClosedLoopEnds() async {
        #expect(await ClosedLoop(start: .now, end: .now + .seconds(60)).next() != nil)
        #expect(await ClosedLoop(start: .now, end: .now).next() == nil)
    }

    @Test("A closed loop begins its minimum number of actions even after its end")
    func least() async {
        let pace = ClosedLoop(start: .now, end: .now, least: 2)
        let turns = [await pace.next(), await pace.next(), await pace.next()]
        #expect(turns.map { $0 != nil } == [true, true, false])
    }

    @Test func nobodyBeginsAClosedLoopEarly() async throws {
        let start = ContinuousClock.now + .milliseconds(50)
        #expect(try #require(await ClosedLoop(start: start, end: start + .seconds(60)).next()) >= start)
    }
}
