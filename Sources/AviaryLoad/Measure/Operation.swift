import Histogram

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
