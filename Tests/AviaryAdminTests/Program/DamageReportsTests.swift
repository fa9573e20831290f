import Testing

@testable import AviaryAdmin

@Suite("Damage reports from readers to the store")
struct DamageReportsTests {
    @Test("The store is asked at the first report and at most once a minute")
    func pause() {
        let reports = DamageReports {}
        let start = ContinuousClock.now
        #expect(reports.isDue(at: start))
        #expect(!reports.isDue(at: start))
        #expect(!reports.isDue(at: start + .seconds(59)))
        #expect(reports.isDue(at: start + .seconds(60)))
        #expect(!reports.isDue(at: start + .seconds(61)))
    }

    @Test("A report asks the store in the background")
    func asks() async {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let reports = DamageReports { continuation.finish() }
        reports.report()
        for await _ in asked {}
    }
}
