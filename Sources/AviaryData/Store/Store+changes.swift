import AviaryDomain
import Foundation

extension Store {
    func apply(_ submission: Submission) throws -> Receipt {
        if let receipt = try earlierReceipt(of: submission) { return receipt }
        return try commit(submission)
    }

    func undo(_ undo: Undo) throws -> Receipt {
        let request = Submission(undo, inverse: [])
        if let receipt = try earlierReceipt(of: request) { return receipt }
        let planner = try UndoPlanner(
            undo.commit, leaving: undo.leaving ?? [:], tables: tables, connection: connection)
        return try commit(Submission(undo, inverse: planner.inverse()))
    }

    /// Once saved or discarded, a draft stays so.
    func discard(_ draft: String) throws -> Job.Answer {
        lookAtClocks()
        if try CommitTable.receipt(draft, in: connection) == nil {
            try DiscardTable.add(draft, at: clock.runningDate, in: connection)
        }
        return .discarded
    }

    /// The first answer to a change set that is there again.
    private func earlierReceipt(of submission: Submission) throws -> Receipt? {
        guard let receipt = try CommitTable.receipt(submission.idText, in: connection) else {
            if try DiscardTable.contains(submission.idText, in: connection) { throw StoreError.alreadyDiscarded }
            return nil
        }
        guard receipt.fingerprint == submission.fingerprint else {
            throw StoreError.alreadySaved(commit: receipt.commit)
        }
        return Receipt(changeSet: submission.id, commit: receipt.commit, isRepeat: true)
    }

    private func commit(_ submission: Submission) throws -> Receipt {
        let number = position.commit + 1
        let firstChange = position.nextChange
        let history = HistoryWriter(
            connection: connection, commit: number, nextChange: firstChange,
            excludedModels: historyPolicy.excludedModels
        )
        var application = ChangeApplication(tables: tables, history: history, cascadeLimit: submission.cascadeLimit)
        try application.apply(submission.steps.get())
        let nextChange = application.history.nextChange
        try CommitTable.add(
            number, submission, at: now(), changes: firstChange..<nextChange,
            unrecorded: application.history.unrecorded,
            in: connection
        )
        position = StorePosition(
            commit: number, nextChange: nextChange, historySize: position.historySize + application.history.size
        )
        batch?.storedChangeSets += 1
        batch?.add(application.totals)
        return Receipt(changeSet: submission.id, commit: number, isRepeat: false)
    }

    /// Whether the work fails whole or not at all without a savepoint around it, which costs a copy of each page that it
    /// touches: one statement, which SQLite undoes itself, is the only one that anything can stand against.
    func failsWhole(_ work: Job.Work) throws -> Bool {
        guard case .apply(let submission) = work, case .success(let steps) = submission.steps,
            steps.count == 1,
            let step = steps.first
        else { return false }
        switch step {
        // How many are related is looked at behind the statement.
        case .insert(let table, _, _), .update(let table, _, _, _, _): guard !table.isCounted else { return false }
        case .delete, .remove, .link, .unlink: return false
        }
        return try tables.missingReference(in: step, connection) == nil
    }
}
