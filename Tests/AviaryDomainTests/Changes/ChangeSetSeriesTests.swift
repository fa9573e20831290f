import AviaryDomain
import Foundation
import Testing

@Suite("Change sets that are parts of one piece of work")
struct ChangeSetSeriesTests {
    private let series = ChangeSetSeries(.version7())

    @Test("Are known by their ids, apart from those of others and from those that take them back")
    func known() {
        let parts = (0..<100).map { _ in series.changeSet([.version7(), .version7()]) }
        #expect(Set(parts).count == 100)
        #expect(parts.allSatisfy(series.contains))
        #expect(
            !parts.contains(where: ChangeSetSeries(.version7()).contains)
                && !parts.contains(where: series.inverse.contains))
        #expect(!series.contains(.version7()) && !series.contains(series.id))
    }

    @Test("Of the same records one has the same id, of fewer or others another")
    func same() {
        let ids = [UUID.version7(), .version7(), .version7()]
        #expect(series.changeSet(ids) == series.changeSet(ids))
        #expect(series.changeSet(ids) != series.changeSet([ids[0]]))
        #expect(series.changeSet(ids) != ChangeSetSeries(.version7()).changeSet(ids))
        #expect(series.changeSet(ids) != series.changeSet([ids[0], .version7(), ids[2]]), "in between")
        #expect(series.changeSet([ids[0]]) != series.changeSet([ids[0], ids[0]]))
    }

    @Test("Tell when they began")
    func start() {
        let date = Date(timeIntervalSince1970: 1_800_000_000.25)
        #expect(ChangeSetSeries(.version7(at: date)).start == date)
    }
}
