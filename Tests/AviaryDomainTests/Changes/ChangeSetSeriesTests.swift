import AviaryDomain
import Foundation
import Testing

@Suite("Series of change sets")
struct ChangeSetSeriesTests {
    private let series = ChangeSetSeries(.version7())

    @Test("A series recognizes its change sets, but not those of another or of its inverse")
    func known() {
        let parts = (0..<100).map { _ in series.changeSet([.version7(), .version7()]) }
        #expect(Set(parts).count == 100)
        #expect(parts.allSatisfy(series.contains))
        #expect(
            !parts.contains(where: ChangeSetSeries(.version7()).contains)
                && !parts.contains(where: series.inverse.contains))
        #expect(!series.contains(.version7()) && !series.contains(series.id))
    }

    @Test("The id of a change set depends on its series and on its records")
    func same() {
        let ids = [UUID.version7(), .version7(), .version7()]
        #expect(series.changeSet(ids) == series.changeSet(ids))
        #expect(series.changeSet(ids) != series.changeSet([ids[0]]))
        #expect(series.changeSet(ids) != ChangeSetSeries(.version7()).changeSet(ids))
        #expect(series.changeSet(ids) != series.changeSet([ids[0], .version7(), ids[2]]), "in between")
        #expect(series.changeSet([ids[0]]) != series.changeSet([ids[0], ids[0]]))
    }

    @Test("A series knows its start time")
    func start() {
        let date = Date(timeIntervalSince1970: 1_800_000_000.25)
        #expect(ChangeSetSeries(.version7(at: date)).start == date)
    }
}
