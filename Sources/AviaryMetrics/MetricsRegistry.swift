package import CoreMetrics
import Synchronization

/// A swift-metrics backend that keeps the recorded values and returns them as a snapshot at any time.
///
/// Memory is bounded: beyond ``seriesLimit`` the registry keeps no further series. A label whose values come from
/// outside the program therefore cannot exhaust the memory.
package final class MetricsRegistry: Sendable {
    private struct Family {
        let kind: MetricKind
        let help: String?
        var series: [[MetricLabel]: any Instrument] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        /// Every metric name that a line of the text format may begin with.
        var takenNames: Set<String> = []
        var seriesCount = 0
        var refusals = 0
    }

    package let seriesLimit: Int
    private let descriptions: [String: MetricDescription]
    private let state = Mutex(State())

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - descriptions: The metrics that are known beforehand. Other metrics have no help text and the standard
    ///     bounds.
    ///   - seriesLimit: The largest number of series.
    package init(_ descriptions: [MetricDescription] = [], seriesLimit: Int = 4096) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.seriesLimit = seriesLimit
    }

    /// The number of requests for a series that the registry rejected, because another kind has the name or because
    /// there are too many series.
    package var refusals: Int { state.withLock(\.refusals) }

    package var snapshot: MetricSnapshot {
        // Read the values outside the lock, so that code that creates a series does not wait for them.
        let families = state.withLock(\.families)
        var snapshot = MetricSnapshot()
        for (name, family) in families {
            var values = MetricFamily(kind: family.kind, help: family.help)
            for (labels, instrument) in family.series { values.set(instrument.value, labels) }
            snapshot[name] = values
        }
        return snapshot
    }

    /// Returns the series with this name and these labels, and creates it on the first request; nil when the
    /// registry cannot keep it.
    private func instrument<Kept: Instrument>(
        _ name: String, _ kind: MetricKind, _ dimensions: [(String, String)], make: (MetricDescription?) -> Kept
    ) -> Kept? {
        let labels = MetricLabel.canonical(dimensions)
        let description = descriptions[name].flatMap { $0.kind == kind ? $0 : nil }
        return state.withLock { state in
            if let family = state.families[name] {
                if let known = family.series[labels] {
                    if let kept = known as? Kept { return kept }
                    state.refusals += 1
                    return nil
                }
            } else if !Self.names(of: name, kind).isDisjoint(with: state.takenNames) {
                state.refusals += 1
                return nil
            }
            guard state.seriesCount < seriesLimit, state.families[name].map({ $0.kind == kind }) ?? true else {
                state.refusals += 1
                return nil
            }
            let made = make(description)
            state.takenNames.formUnion(Self.names(of: name, kind))
            state.families[name, default: Family(kind: kind, help: description?.help)].series[labels] = made
            state.seriesCount += 1
            return made
        }
    }

    private static func names(of name: String, _ kind: MetricKind) -> Set<String> {
        kind == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}

extension MetricsRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = MetricName.metric(label, ending: "_total")
        return instrument(name, .counter, dimensions) { _ in CounterInstrument() } ?? NoInstrument()
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        let name = MetricName.metric(label, ending: "_total")
        return instrument(name, .counter, dimensions) { _ in FloatingPointCounterInstrument() } ?? NoInstrument()
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(MetricName.metric(label), .gauge, dimensions) { _ in GaugeInstrument() } ?? NoInstrument()
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let name = MetricName.metric(label)
        guard aggregate else {
            return instrument(name, .gauge, dimensions) { _ in GaugeInstrument() } ?? NoInstrument()
        }
        return histogram(name, dimensions) ?? NoInstrument()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(MetricName.metric(label, ending: "_seconds"), dimensions) ?? NoInstrument()
    }

    private func histogram(_ name: String, _ dimensions: [(String, String)]) -> HistogramInstrument? {
        instrument(name, .histogram, dimensions) { description in
            HistogramInstrument(bounds: description?.bounds ?? MetricDescription.standardBounds)
        }
    }

    // Keep a series whose handlers are gone: a counter that came back would start again at 0.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
