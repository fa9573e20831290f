package import AviaryDomain
package import Foundation

/// A change that is too large for one step of the store, with its progress.
///
/// It is one commit. While it is prepared, nothing of it is visible; its commit makes all of it visible at once; the
/// rows that are left follow in steps, in which nobody sees them. The store keeps the change in its file, so that it
/// continues after any interruption.
///
/// - A delete notes its rows, commits, which masks them, and then removes them.
/// - An undo masks the rows that it inserts, and commits, which ends the mask.
struct LongChange: Codable, Sendable, Equatable {
    enum Phase: String, Codable, Sendable {
        /// Rows are found, or inserted behind the mask.
        case preparing
        /// The rows to delete are complete. The others that they affect are found.
        case checking
        /// The change is committed. Its rows are completed.
        case completing
        /// The change was refused or stopped. What it has inserted is removed.
        case abandoning
    }

    let id: UUID
    let fingerprint: Data
    let author: String
    let began: Int64
    /// The number of the commit that it undoes; nil for a delete.
    let undoes: Int64?
    let cascadeLimit: Int?
    /// The properties that an undo does not change, by model.
    let leaving: [String: Set<String>]
    /// The version of records that it inserts or changes before its commit has a number. Nobody sees it.
    let version: Int64
    /// The host whose store makes the change; nil for a store that only one host uses.
    var host: String?
    var phase = Phase.preparing
    /// The position within the phase: the last pending row, or the first history entry, that was examined.
    var cursor: Int64 = 0
    /// The position among the related rows of the next pending row.
    var place = RelationPlace()
    /// The numbers of records, by model, that refer to the next row that an undo deletes, and remain.
    var referrers: [String: Int] = [:]
    /// The references that become null, or that an undo has restored.
    var references: Set<RowMask.Reference> = []
    /// The numbers of requested, deleted, changed and inserted records, by model.
    var requested: [String: Int] = [:]
    var deleted: [String: Int] = [:]
    var nullified: [String: Int] = [:]
    var inserted: [String: Int] = [:]
    /// The number of links that an undo has restored.
    var linked = 0
    /// Indicates whether the commit that an undo reverses has made links.
    var hasLinks = false
    /// The entries that an undo reverses at its commit, because no mask can hide them. The newest come first.
    private(set) var deferred: [Range<Int64>] = []
    /// The number of rows or entries that this phase has done, and of all that are known.
    var done = 0
    var total = 0
    /// The greatest number of history entries that it writes.
    var entryLimit: Int64 = 0

    var commit: Int64?
    var firstEntry: Int64 = 0
    var nextEntry: Int64 = 0
    var unrecorded = 0

    var isUndo: Bool { undoes != nil }
    var isCommitted: Bool { phase == .completing }

    init(_ submission: PreparedChangeSet, leaving: [String: Set<String>], at time: Date, version: Int64) {
        id = submission.id
        fingerprint = Data(submission.fingerprint)
        author = submission.author
        undoes = submission.undoes
        cascadeLimit = submission.cascadeLimit
        began = time.milliseconds
        self.leaving = leaving
        self.version = version
    }

    var deferredCount: Int { deferred.reduce(0) { $0 + $1.count } }

    /// The change in the phase in which what it has prepared is removed.
    ///
    /// It is also stored in this phase while its requested records are not all noted: only its requester knows them, so
    /// that a store that is opened then gives it up.
    var givenUp: LongChange {
        var change = self
        change.phase = .abandoning
        change.total = max(change.done, 1)
        change.done = 0
        return change
    }

    /// Leaves an entry to the commit. Entries are added from the newest to the oldest.
    mutating func addDeferred(_ entry: Int64) {
        if let last = deferred.indices.last, deferred[last].lowerBound == entry + 1 {
            deferred[last] = entry..<deferred[last].upperBound
        } else {
            deferred.append(entry..<entry + 1)
        }
    }

    /// The mask in effect in this phase; nil if there is none.
    func mask(_ tables: ModelTables) -> RowMask? {
        let models = Set((isCommitted ? deleted : inserted).keys)
        let changed = isCommitted ? Set(nullified.keys).union(inserted.keys) : []
        // A mask without models hides nothing: no reference has a masked value.
        guard !models.isEmpty || !changed.isEmpty else { return nil }
        return RowMask(
            kind: isCommitted ? .delete : .inserted, models: models, commit: commit, changed: changed,
            references: references.filter { models.contains($0.target) }, tables: tables)
    }

    /// Writes the mask of this phase unless it is in effect.
    func writeMask(_ tables: ModelTables, to connection: any Connection) throws {
        let text = try mask(tables)?.text
        guard try RowMask.text(in: connection) != text else { return }
        try MetaTable.set(.rowMask, to: text.map(FieldValue.text) ?? .null, in: connection)
    }

    static func read(from connection: any Connection) throws -> LongChange? {
        try MetaTable.text(.longChange, in: connection).map(LongChange.init(text:))
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(LongChange.self, from: Data(text.utf8))
    }

    func write(to connection: any Connection) throws {
        try MetaTable.set(
            .longChange, to: .text(String(decoding: JSONEncoder().encode(self), as: UTF8.self)), in: connection)
    }
}

/// A position among the rows that are related to a pending row.
struct RelationPlace: Codable, Sendable, Equatable {
    /// The index among the relations of the model.
    var relation = 0
    /// The last row that was examined.
    var row: Int64 = 0
    /// The id of the record at the other end of the last link that was examined.
    var id = ""
}

/// The long change under way with the jobs that wait for it.
struct LongChangeQueue {
    /// The change under way; nil if there is none.
    var change: LongChange?
    /// The records whose delete it was requested to do and that are not noted yet.
    var roots: ArraySlice<DeleteRoot> = []
    /// The id of the change that is to be stopped; nil if none is.
    var stopped: UUID?
    /// The jobs that requested it. They are answered when it is committed or was refused.
    var requests: [Job] = []
    /// The jobs that request other long changes, in their order.
    var waiting: [Job] = []
    /// The jobs that concern rows of the change.
    var held: [(job: Job, end: PendingCollision.End)] = []
    var isScheduled = false
    /// The time at which the change was read from the database; nil for one that this store makes.
    var seen: ContinuousClock.Instant?

    var isEmpty: Bool { change == nil && waiting.isEmpty }
    var hasWork: Bool { !isEmpty || !held.isEmpty }

    /// Answers all jobs because the store ends.
    ///
    /// - Parameter isUncertain: Indicates whether the database may have begun a change that waits.
    mutating func refuseJobs(because reason: String, isUncertain: Bool) {
        // The change under way continues when the store is opened again, or is given up then.
        for job in requests { job.answer(.failure(.unanswered)) }
        for job in waiting {
            let mayBeMade = isUncertain || job.work.changeSet == change?.id
            job.answer(.failure(mayBeMade ? .unanswered : .unavailable(reason)))
        }
        for (job, _) in held { job.answer(.failure(.unavailable(reason))) }
        (requests, waiting, held) = ([], [], [])
    }

    /// Removes and returns the jobs that have waited for too long. Those that are under way remain.
    mutating func removeLateJobs(_ uptime: () -> MonotonicTime) -> [(job: Job, error: StoreError)] {
        let late = (waiting + held.map(\.job)).compactMap { job in job.lateness(uptime).map { (job, $0) } }
        guard !late.isEmpty else { return [] }
        waiting.removeAll { $0.lateness(uptime) != nil }
        held.removeAll { $0.job.lateness(uptime) != nil }
        return late
    }
}

extension Store {
    /// Indicates whether a long change is under way or waits.
    package var isMakingLongChange: Bool { !longChanges.isEmpty }

    /// The progress of the long change under way; nil if there is none.
    package var longChangeStatus: LongChangeStatus? {
        longChanges.change.map { LongChangeStatus($0, waiting: longChanges.waiting.count) }
    }

    /// Stops a long change that is under way or waits, so that nothing of it is done. Its requesters get
    /// ``StoreError/Code/stopped``.
    ///
    /// A change that is committed already continues: it is visible as a whole, and an undo of it is another change.
    package func stopLongChange(_ changeSet: UUID) {
        // During an outage the database may have begun a change that waits.
        if shared.outage == nil {
            let waiting = longChanges.waiting.filter { $0.work.changeSet == changeSet }
            longChanges.waiting.removeAll { $0.work.changeSet == changeSet }
            for job in waiting { job.answer(.failure(.stopped)) }
        }
        // The next step gives the change up, because a transaction may be open now.
        guard let change = longChanges.change, change.id == changeSet else { return }
        if change.phase == .preparing || change.phase == .checking { longChanges.stopped = changeSet }
    }
}

extension LongChangeStatus {
    init(_ change: LongChange, waiting: Int) {
        let step: Step =
            switch change.phase {
            case .preparing: .preparing
            case .checking: .checking
            case .completing: .completing
            case .abandoning: .stopping
            }
        self.init(
            changeSet: change.id, author: change.author, began: Date(milliseconds: change.began), undoes: change.undoes,
            step: step, done: change.done, total: change.total, commit: change.commit,
            records: change.isUndo ? change.inserted : change.deleted, waiting: waiting)
    }
}
