import AviaryMetrics
import CoreMetrics
import Synchronization
import Testing

@Suite("Combining the metrics of several processes")
struct MetricsLedgerTests {
    /// A simulated process with its metrics and its reporter.
    private final class Process: Sendable {
        let registry = MetricsRegistry([MetricDescription("wait_seconds", .histogram, "Waits.", bounds: [1])])
        let reporter: MetricsReporter

        init(_ id: Int32) {
            reporter = MetricsReporter(registry, identity: .init(process: id, start: 1))
        }

        func count(_ amount: Int = 1) { Counter(label: "n", factory: registry).increment(by: amount) }

        /// Sends a report, and a complete one if the ledger asks for it, as a real process does.
        @discardableResult
        func report(to ledger: MetricsLedger, at time: ContinuousClock.Instant, wantsWhole: Bool = false)
            -> MetricsResponse
        {
            let report = reporter.report(wantsWhole: wantsWhole)
            let answer = ledger.answer(report, at: time)
            guard reporter.take(answer, to: report) else { return answer }
            let second = reporter.report(wantsWhole: wantsWhole)
            let complete = ledger.answer(second, at: time)
            reporter.take(complete, to: second)
            return complete
        }

        func whole(from ledger: MetricsLedger, at time: ContinuousClock.Instant) -> MetricSnapshot? {
            report(to: ledger, at: time, wantsWhole: true).whole
        }
    }

    private let start = ContinuousClock.now
    private let first = Process(1)
    private let second = Process(2)

    private func count(_ snapshot: MetricSnapshot?) -> Double? {
        guard case .number(let value)? = snapshot?["n_total"]?.series[[]] else { return nil }
        return value
    }

    @Test("Counters, histograms and gauges are summed")
    func sums() throws {
        let ledger = MetricsLedger { _ in true }
        for process in [first, second] {
            process.count(process === first ? 3 : 4)
            Timer(label: "wait", factory: process.registry).recordSeconds(process === first ? 0.5 : 2)
            Meter(label: "open", factory: process.registry).set(5)
        }
        first.report(to: ledger, at: start)
        let whole = try #require(second.whole(from: ledger, at: start))
        #expect(first.whole(from: ledger, at: start) == whole)
        #expect(count(whole) == 7)
        #expect(whole["open"]?.series[[]] == .number(10))
        #expect(whole["wait_seconds"]?.series[[]] == .histogram(HistogramValue(bounds: [1], counts: [1, 1], sum: 2.5)))
    }

    @Test("A repeated or late report changes nothing")
    func late() {
        let ledger = MetricsLedger { _ in true }
        first.count()
        let old = first.reporter.report()
        _ = ledger.answer(old, at: start)
        _ = ledger.answer(old, at: start)
        first.count()
        first.report(to: ledger, at: start)
        _ = ledger.answer(old, at: start)
        #expect(count(second.whole(from: ledger, at: start)) == 2)
    }

    @Test("Unchanged metrics are not sent again")
    func unchanged() {
        let ledger = MetricsLedger { _ in true }
        first.count()
        first.report(to: ledger, at: start)
        #expect(first.reporter.report().content == .unchanged)
        first.report(to: ledger, at: start)
        #expect(count(second.whole(from: ledger, at: start)) == 1)
        first.count()
        #expect(first.reporter.report().content != .unchanged)
    }

    @Test("An ended process keeps its counters, but not its gauges")
    func ended() throws {
        let ledger = MetricsLedger { $0.process == 2 }
        first.count(3)
        Meter(label: "open", factory: first.registry).set(5)
        first.report(to: ledger, at: start)
        second.count()
        for time in [
            start + MetricsLedger.silence * 2, start + MetricsLedger.grace * 2, start + MetricsLedger.grace * 3,
        ] {
            let whole = second.whole(from: ledger, at: time)
            #expect(count(whole) == 4)
            #expect(whole?["open"]?.series[[]] == nil)
        }
        #expect(second.report(to: ledger, at: start + MetricsLedger.grace * 4).processes == [2])
    }

    @Test("A paused process that resumes is not counted twice")
    func stopped() {
        let ledger = MetricsLedger { _ in true }
        first.count(3)
        first.report(to: ledger, at: start)
        let later = start + MetricsLedger.grace * 2
        #expect(count(second.whole(from: ledger, at: later)) == 3)
        first.count()
        #expect(count(first.whole(from: ledger, at: later)) == 4)
    }

    @Test(
        "A new ledger receives the totals of all processes, including ended ones",
        arguments: [
            MetricsLedger.silence * 2, MetricsLedger.grace * 2,
        ])
    func newLedger(after: Duration) {
        let old = MetricsLedger { $0.process == 2 }
        first.count(3)
        second.count(4)
        first.report(to: old, at: start)
        let later = start + after
        #expect(count(second.whole(from: old, at: later)) == 7)
        second.report(to: old, at: later)
        let new = MetricsLedger { _ in true }
        let third = Process(3)
        third.count(10)
        third.report(to: new, at: later)
        #expect(count(second.whole(from: new, at: later)) == 17)
        #expect(count(third.whole(from: new, at: later)) == 17)
    }

    @Test("The end of a process is passed on to a new ledger")
    func endIsPassedOn() {
        let isAlive = Mutex(true)
        let old = MetricsLedger { $0.process == 2 || isAlive.withLock { $0 } }
        first.count(3)
        Meter(label: "open", factory: first.registry).set(5)
        second.count(4)
        first.report(to: old, at: start)
        second.report(to: old, at: start)
        isAlive.withLock { $0 = false }
        let next = start + .seconds(1)
        let whole = second.whole(from: old, at: next)
        #expect(count(whole) == 7)
        #expect(whole?["open"]?.series[[]] == nil)
        let new = MetricsLedger { _ in true }
        #expect(count(second.whole(from: new, at: next)) == 7)
    }

    @Test("A late last report of an ended process is counted")
    func lastWords() {
        let ledger = MetricsLedger { $0.process == 2 }
        first.count(3)
        first.report(to: ledger, at: start)
        first.count(2)
        let last = first.reporter.report()
        let later = start + MetricsLedger.silence * 2
        #expect(count(second.whole(from: ledger, at: later)) == 3)
        _ = ledger.answer(last, at: later)
        #expect(count(second.whole(from: ledger, at: later)) == 5)
        second.report(to: ledger, at: later)
        let much = start + MetricsLedger.grace * 3
        second.report(to: ledger, at: much)
        #expect(count(second.whole(from: ledger, at: much)) == 5)
        let new = MetricsLedger { _ in true }
        #expect(count(second.whole(from: new, at: much)) == 5)
    }

    @Test("A histogram with other bounds does not invalidate the output")
    func otherBounds() throws {
        let ledger = MetricsLedger { _ in true }
        let registry = MetricsRegistry([MetricDescription("wait_seconds", .histogram, "Waits.", bounds: [2])])
        Timer(label: "wait", factory: registry).recordSeconds(1)
        let older = MetricsReporter(registry, identity: .init(process: 7, start: 1))
        _ = ledger.answer(older.report(), at: start)
        Timer(label: "wait", factory: first.registry).recordSeconds(1)
        let whole = try #require(first.whole(from: ledger, at: start))
        _ = try PrometheusParser.parse(PrometheusText.render(whole))
    }
}
