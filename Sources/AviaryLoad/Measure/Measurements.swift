import Histogram

/// The measurements of a run, by one process or by several together.
struct Measurements: Sendable {
    var operations: [Operation: OperationStatistics] = [:]
    /// The latencies of all actions.
    ///
    /// An action that was due and could not begin counts with the time that it had waited when the run ended.
    /// Without it, a server would look better the less it answers.
    var all = Latencies.histogram(.three)
    /// The delays of the client itself, measured a hundred times a second.
    var lateness = Latencies.histogram(.three)
    /// The writes of the measured time. The ledger also has those of the rest of the run.
    var writes = WriteCounts()
    var timeline: Timeline
    var requests = 0
    var failedRequests = 0
    var actions = 0
    /// The longest time within the run in which no user received a page of records.
    var longestReadPause = Duration.zero

    init(duration: Duration) {
        timeline = Timeline(duration: duration)
    }

    var bytes: Int { operations.values.reduce(0) { $0 + $1.bytes } }

    var errors: [String: Int] {
        operations.values.reduce(into: [:]) { $0.merge($1.errors, uniquingKeysWith: +) }
    }

    /// The latencies by the name of the operation.
    var latencies: [String: LatencySummary] {
        Dictionary(
            uniqueKeysWithValues: operations.filter { $0.value.latencies.totalCount > 0 }.map {
                ($0.key.name, LatencySummary($0.value.latencies))
            })
    }

    /// Adds the measurements of another process over the same time.
    mutating func add(_ other: Measurements) {
        for (operation, figures) in other.operations {
            operations[operation, default: OperationStatistics()].add(figures)
        }
        all.add(other.all)
        lateness.add(other.lateness)
        timeline.add(other.timeline)
        writes.add(other.writes)
        requests += other.requests
        failedRequests += other.failedRequests
        actions += other.actions
        // The minimum is an upper bound of the pause of both together: while one process read, there was no pause.
        longestReadPause = min(longestReadPause, other.longestReadPause)
    }
}

extension Measurements: Codable {
    private enum CodingKeys: String, CodingKey {
        case operations, all, lateness, timeline, writes, requests, failedRequests, actions, longestReadPause
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        operations = Dictionary(
            uniqueKeysWithValues: try container.decode([String: OperationStatistics].self, forKey: .operations).map {
                (Operation($0.key), $0.value)
            })
        all = try container.decode(HistogramValues.self, forKey: .all).histogram(.three)
        lateness = try container.decode(HistogramValues.self, forKey: .lateness).histogram(.three)
        timeline = try container.decode(Timeline.self, forKey: .timeline)
        writes = try container.decode(WriteCounts.self, forKey: .writes)
        requests = try container.decode(Int.self, forKey: .requests)
        failedRequests = try container.decode(Int.self, forKey: .failedRequests)
        actions = try container.decode(Int.self, forKey: .actions)
        longestReadPause = try container.decode(Duration.self, forKey: .longestReadPause)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(
            Dictionary(uniqueKeysWithValues: operations.map { ($0.key.name, $0.value) }), forKey: .operations)
        try container.encode(HistogramValues(all), forKey: .all)
        try container.encode(HistogramValues(lateness), forKey: .lateness)
        try container.encode(timeline, forKey: .timeline)
        try container.encode(writes, forKey: .writes)
        try container.encode(requests, forKey: .requests)
        try container.encode(failedRequests, forKey: .failedRequests)
        try container.encode(actions, forKey: .actions)
        try container.encode(longestReadPause, forKey: .longestReadPause)
    }
}

/// The values of a histogram with their counts, in a form that another process can decode.
struct HistogramValues: Sendable, Codable {
    private let values: [UInt64]
    private let counts: [UInt64]

    init(_ histogram: Histogram<UInt64>) {
        let recorded = histogram.recordedValues().map { ($0.value, $0.count) }
        values = recorded.map(\.0)
        counts = recorded.map(\.1)
    }

    func histogram(_ digits: SignificantDigits) -> Histogram<UInt64> {
        var histogram = Latencies.histogram(digits)
        for (value, count) in zip(values, counts) { histogram.record(min(value, Latencies.longest), count: count) }
        return histogram
    }
}

/// The range of the latency histograms.
enum Latencies {
    /// The largest latency that a histogram holds, in microseconds: ten minutes, more than any action may take.
    static let longest: UInt64 = 600_000_000

    static func histogram(_ digits: SignificantDigits) -> Histogram<UInt64> {
        Histogram(highestTrackableValue: longest, numberOfSignificantValueDigits: digits)
    }
}

extension Histogram<UInt64> {
    /// Records a latency, rounded to the nearest value that the histogram can hold, so that no latency is left out.
    mutating func record(_ latency: Duration) {
        record(Swift.min(Swift.max(1, latency.microseconds), Latencies.longest))
    }

    /// Returns a percentile in milliseconds; 0 when nothing was recorded.
    func milliseconds(_ percentile: Double) -> Double {
        totalCount == 0 ? 0 : Double(valueAtPercentile(percentile)) / 1000
    }
}

/// A summary of the latencies of one operation, in milliseconds.
package struct LatencySummary: Sendable, Hashable, Encodable {
    package let count: Int
    package let mean: Double
    package let p50: Double
    package let p90: Double
    package let p99: Double
    package let p999: Double
    package let max: Double

    init(_ histogram: Histogram<UInt64>) {
        count = Int(histogram.totalCount)
        mean = count == 0 ? 0 : (histogram.mean / 10).rounded() / 100
        p50 = histogram.milliseconds(50)
        p90 = histogram.milliseconds(90)
        p99 = histogram.milliseconds(99)
        p999 = histogram.milliseconds(99.9)
        max = histogram.milliseconds(100)
    }
}

/// An operation whose time is measured: an action or a step of one.
///
/// The time of an action runs from the moment at which it was due to its end, retries included. The name of a step
/// contains a dot. The time of a step runs from its request to its answer; for the first step of an action it
/// begins when the action was due.
struct Operation: Sendable, Hashable, Codable, Comparable {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// Creates the operation of a request in an application's own action.
    init(step: String, of action: String) {
        name = action + "." + step
    }

    static let add = Operation("add"), browse = Operation("browse"), edit = Operation("edit"),
        delete = Operation("delete")
    static let deleteUndo = Operation("delete-undo"), conflict = Operation("conflict"), draft = Operation("draft")
    static let refused = Operation("refused")
    static let addOpen = Operation("add.open"), addSave = Operation("add.save")
    static let list = Operation("browse.list"), record = Operation("browse.record"), sort = Operation("browse.sort")
    static let search = Operation("browse.search"), firstPage = Operation("list.page"),
        filter = Operation("browse.filter")
    static let editOpen = Operation("edit.open"), editKeep = Operation("edit.keep"), editSave = Operation("edit.save")
    static let deleteAsk = Operation("delete.ask"), deleteConfirm = Operation("delete.confirm")
    static let undoAsk = Operation("delete-undo.ask"), undoDelete = Operation("delete-undo.delete")
    static let undoList = Operation("delete-undo.list"), undoUndo = Operation("delete-undo.undo")
    static let conflictOpen = Operation("conflict.open"), conflictSave = Operation("conflict.save")
    static let conflictResolve = Operation("conflict.resolve"), conflictCancel = Operation("conflict.cancel")
    static let draftOpen = Operation("draft.open"), draftKeep = Operation("draft.keep"),
        draftDiscard = Operation("draft.discard")
    static let refusedSave = Operation("refused.save")
    /// The reading of the list before and after the run, which is not part of the load.
    static let check = Operation("check")

    private static let reads: Set<Operation> = [.list, .record, .sort, .search, .filter, .firstPage]

    /// Indicates whether the operation reads stored records and changes nothing.
    var isRead: Bool { Self.reads.contains(self) }

    /// Orders operations by action, with each action before its steps, even if the name of one action begins with
    /// that of another.
    static func < (one: Operation, other: Operation) -> Bool {
        one.name.split(separator: ".").lexicographicallyPrecedes(other.name.split(separator: "."))
    }

    var isAction: Bool { self != .check && !name.contains(".") }
}

/// The measurements of one operation.
struct OperationStatistics: Sendable {
    var latencies = Latencies.histogram(.three)
    /// The size of the received bodies.
    var bytes = 0
    /// The number of failed and missing answers, by kind of error.
    var errors: [String: Int] = [:]

    var errorCount: Int { errors.values.reduce(0, +) }

    mutating func add(_ other: OperationStatistics) {
        latencies.add(other.latencies)
        bytes += other.bytes
        errors.merge(other.errors, uniquingKeysWith: +)
    }
}

extension OperationStatistics: Codable {
    private enum CodingKeys: String, CodingKey {
        case latencies, bytes, errors
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        latencies = try container.decode(HistogramValues.self, forKey: .latencies).histogram(.three)
        bytes = try container.decode(Int.self, forKey: .bytes)
        errors = try container.decode([String: Int].self, forKey: .errors)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(HistogramValues(latencies), forKey: .latencies)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(errors, forKey: .errors)
    }
}
