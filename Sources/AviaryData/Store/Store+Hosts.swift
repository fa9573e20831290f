import AviaryDomain
import Foundation

/// The values of the database that a store keeps in memory, and that the store of another host can change.
struct StoreFacts {
    private static let keys: [MetaTable.Key] = [
        .commit, .nextChange, .historySize, .schema, .restoreEpoch, .longChange, .rowMask,
    ]
    private static let query = Query(
        "SELECT key, value FROM aviary_meta WHERE key IN (\(keys.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")

    let position: StorePosition
    let schema: String?
    let restoreEpoch: String?
    let longChange: LongChange?
    let mask: String?

    /// Reads the facts of one state of the store, in one statement.
    ///
    /// - Throws: ``StoreOpenError/notAStore(path:)`` if the position is missing or impossible.
    static func read(from connection: any Connection) throws -> StoreFacts {
        let rows = try connection.rows(query) { row in
            (row.text(0) ?? "", connection.dialect.value(ofAny: row.value(1)))
        }
        let values = Dictionary(rows) { first, _ in first }
        func text(_ key: MetaTable.Key) -> String? {
            if case .text(let text) = values[key.rawValue] { text } else { nil }
        }
        guard let position = StorePosition(values) else { throw StoreOpenError.notAStore(path: connection.path) }
        return StoreFacts(
            position: position, schema: text(.schema), restoreEpoch: text(.restoreEpoch),
            longChange: try text(.longChange).map(LongChange.init(text:)), mask: text(.rowMask))
    }
}

/// The part of a store's state that concerns the stores of other hosts.
struct SharedState {
    /// The recorded models and the restore epoch, as this store knows them.
    var schema: String?
    var restoreEpoch: String?
    /// Indicates whether the store of another host may have changed what this one remembers.
    var isOutdated = false
    /// The jobs of the next batch. Their transaction begins when the batch is closed, because other hosts wait for its end.
    var collected: [Job] = []
    /// The number of changes of the jobs that were collected since the last batch.
    var changes = 0
    /// The time during which nothing can be committed; nil while all is well.
    var outage: Outage?

    static let changedMeanwhile = EngineError(
        kind: .busy, code: nil, message: "the store of another host has saved changes meanwhile",
        operation: "replace the contents")
}

/// A time during which a store cannot commit: it has no connection, or another host keeps it out.
struct Outage {
    private static let pauses: [Duration] = [.milliseconds(20), .milliseconds(100), .milliseconds(250)]
    private static let longestPause: Duration = .milliseconds(500)
    /// The time after which jobs without a deadline are answered.
    static let patience: Duration = .seconds(60)

    let began = ContinuousClock.now
    var cause: EngineError
    var attempts = 0
    /// The batch of which it is unknown whether it was committed; nil if there is none.
    var unsettled: Batch?

    var pause: Duration { attempts < Self.pauses.count ? Self.pauses[attempts] : Self.longestPause }
}

// MARK: What other hosts have committed

extension Store {
    /// Begins a transaction that writes. What another host has committed is known to the store then.
    ///
    /// - Returns: The ids of the change sets that were used before; nil if they were not looked for, see
    ///   ``WriteBeginning/usedIDs``.
    @discardableResult
    func begin(for changeSets: [String] = []) throws(EngineError) -> Set<String>? {
        while true {
            let beginning = try connection.beginWriting(of: changeSets)
            if beginning.isOutdated { shared.isOutdated = true }
            guard shared.isOutdated else { return beginning.usedIDs }
            let mask: String?
            do {
                mask = try refresh()
            } catch {
                connection.abandonTransaction()
                throw error as? EngineError
                    ?? EngineError(kind: .other, code: nil, message: "\(error)", operation: "read the store's position")
            }
            shared.isOutdated = false
            guard mask != connection.maskText else { return beginning.usedIDs }
            // Rows can only be hidden outside of a transaction.
            connection.abandonTransaction()
            do {
                try connection.hideRows(ofMask: mask)
            } catch {
                shared.isOutdated = true
                throw error as? EngineError
                    ?? EngineError(kind: .other, code: nil, message: "\(error)", operation: "hide rows")
            }
        }
    }

    /// Runs the body in a write transaction. All of its changes are committed, or none of them.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try begin()
        do {
            let result = try body()
            try connection.commit()
            return result
        } catch {
            connection.abandonTransaction()
            // The transaction of a lost connection may have been committed.
            if let error = error as? EngineError { noteOutage(error) }
            throw error
        }
    }

    /// Reads what the store remembers of its database again, in the open transaction.
    ///
    /// - Returns: The text of the mask in effect.
    private func refresh() throws -> String? {
        let facts = try StoreFacts.read(from: connection)
        guard facts.schema == shared.schema else {
            let error = EngineError(
                kind: .other, code: nil,
                message: "the store of another host has changed the models in the database. Start this host again",
                operation: "read the store's models")
            fail(error)
            throw error
        }
        if facts.restoreEpoch != shared.restoreEpoch {
            clock = try clock.remarked(byCommitsIn: connection)
            shared.restoreEpoch = facts.restoreEpoch
            trimSchedule.lastReceipt = 0
        }
        position = facts.position
        durablePosition = facts.position
        try adopt(facts.longChange)
        return facts.mask
    }
}

// MARK: Outages

// All of this runs on the store's own thread, so that waiting for the database blocks nothing else.
extension Store {
    /// Begins an outage if the error is the reason for one.
    ///
    /// - Returns: A Boolean value that indicates whether there is an outage now.
    @discardableResult
    func noteOutage(_ error: EngineError, unsettled: Batch? = nil) -> Bool {
        guard connection.database != nil, error.kind == .connectionLost, refusal == nil else { return false }
        if shared.outage == nil {
            shared.outage = Outage(cause: error)
            scheduleEndOfOutage()
        }
        if let unsettled { shared.outage?.unsettled = unsettled }
        shared.isOutdated = true
        return true
    }

    /// Lets jobs wait until a transaction can begin, if the error is one that passes.
    ///
    /// - Returns: A Boolean value that indicates whether they wait.
    func keep(_ jobs: [Job], after error: EngineError) -> Bool {
        guard connection.database != nil, error.kind == .connectionLost || error.kind == .busy, refusal == nil else {
            return false
        }
        shared.collected = jobs + shared.collected
        if shared.outage == nil {
            shared.outage = Outage(cause: error)
            scheduleEndOfOutage()
        }
        return true
    }

    private func scheduleEndOfOutage() {
        guard let pause = shared.outage?.pause else { return }
        Task { [weak self] in
            // A store that is closed meanwhile has answered its jobs.
            try? await Task.sleep(for: pause)
            await self?.tryToEndOutage()
        }
    }

    private func tryToEndOutage() {
        guard shared.outage != nil, refusal == nil else { return }
        answerLateJobs()
        do {
            if shared.outage?.cause.kind == .connectionLost { try connection.database?.reconnect() }
            try begin()
            try settle()
        } catch {
            connection.abandonTransaction()
            shared.outage?.attempts += 1
            // A connection that is refused is still lost.
            if let error = error as? EngineError, error.kind == .connectionLost || error.kind == .busy {
                shared.outage?.cause = error
            }
            answerLateJobs()
            return scheduleEndOfOutage()
        }
        shared.outage = nil
        if lease != nil {
            lease?.jobs = shared.collected + (lease?.jobs ?? [])
            shared.collected = []
        }
        commitBatch()
        scheduleLongChange()
    }

    /// Finds out whether the batch whose COMMIT was not answered is stored, and answers its jobs or lets them run again.
    ///
    /// The open transaction has waited for the end of the other one, so that its receipts decide. Its own COMMIT is confirmed
    /// like any other: what it has seen is then as durable as what it has written.
    private func settle() throws {
        guard let batch = shared.outage?.unsettled else { return connection.abandonTransaction() }
        let isStored = try batch.receipts.first.map { receipt in
            try CommitTable.receipt(receipt.changeSet.canonicalText, in: connection)?.commit == receipt.commit
        }
        try position.write(to: connection)
        try connection.commit()
        shared.outage?.unsettled = nil
        guard isStored == true else {
            shared.collected = batch.jobs + shared.collected
            return
        }
        clock.note(position.commit)
        committedBatches += 1
        storedChangeSets += batch.storedChangeSets
        batch.completeAll()
    }

    /// Answers the jobs whose time has passed during an outage.
    private func answerLateJobs() {
        guard let outage = shared.outage else { return }
        let now = ContinuousClock.now
        var kept: [Job] = []
        for job in shared.collected {
            if let error = job.lateness(uptime) {
                job.answer(.failure(error))
            } else if job.deadline == nil, now - max(job.arrival, outage.began) > Outage.patience {
                job.answer(.failure(.unavailable(outage.cause.reason)))
            } else {
                kept.append(job)
            }
        }
        shared.collected = kept
        let isLong = now - outage.began > Outage.patience
        for job in shared.outage?.unsettled?.removeJobs(where: { isLong || $0.lateness(uptime) != nil }) ?? [] {
            job.answer(.failure(.unanswered))
        }
    }

    /// Answers all jobs that wait for the next batch or the end of an outage, because the store has ended.
    func refuseSharedJobs() {
        let reason = refusal ?? ""
        for job in shared.collected { job.answer(.failure(.unavailable(reason))) }
        shared.collected = []
        shared.outage?.unsettled?.completeAll(failingWith: .unanswered)
        shared.outage = nil
    }
}
