import Testing

@testable import AviaryAdmin

@Suite("Damage that a read meets is told to the store")
struct DamageReportsTests {
    @Test("The store is asked at the first read, and a minute later at the earliest again")
    func pause() {
        let reports = DamageReports {}
        let start = ContinuousClock.now
        #expect(reports.isDue(at: start))
        #expect(!reports.isDue(at: start))
        #expect(!reports.isDue(at: start + .seconds(59)))
        #expect(reports.isDue(at: start + .seconds(60)))
        #expect(!reports.isDue(at: start + .seconds(61)))
    }

    @Test("The store is asked beside the read")
    func asks() async {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let reports = DamageReports { continuation.finish() }
        reports.report()
        for await _ in asked {}
    }
}
