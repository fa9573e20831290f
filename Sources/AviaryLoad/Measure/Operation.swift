import Histogram

/// What is timed. An action is timed from the moment at which it was due to its end, retries included; a step of it, whose
/// name has a dot, from when its request is sent to its answer, and the first of an action from when that was due.
struct Operation: Sendable, Hashable, Codable, Comparable {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// A request of an own action.
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
    /// Reading the list before and after the run: no part of the load.
    static let check = Operation("check")

    private static let reads: Set<Operation> = [.list, .record, .sort, .search, .filter, .firstPage]

    /// Whether it shows stored records and changes nothing.
    var isRead: Bool { Self.reads.contains(self) }

    /// By action, and each action before its steps, also where the name of one begins with that of another.
    static func < (one: Operation, other: Operation) -> Bool {
        one.name.split(separator: ".").lexicographicallyPrecedes(other.name.split(separator: "."))
    }

    var isAction: Bool { self != .check && !name.contains(".") }
}

/// What was measured of one operation.
struct OperationFigures: Sendable {
    var latencies = Latencies.histogram(.three)
    /// Of the bodies that were received.
    var bytes = 0
    /// Answers that a server in good order does not give, and those that did not come, by kind.
    var errors: [String: Int] = [:]

    var errorCount: Int { errors.values.reduce(0, +) }

    mutating func add(_ other: OperationFigures) {
        latencies.add(other.latencies)
        bytes += other.bytes
        errors.merge(other.errors, uniquingKeysWith: +)
    }
}

extension OperationFigures: Codable {
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
