import AviaryDomain
import Foundation

extension Store {
    func apply(_ submission: Submission) throws -> Receipt {
        let number = commit + 1
        let isNew = try ReceiptTable.add(
            submission.idText, fingerprint: submission.fingerprint, commit: number, at: now(), in: connection
        )
        guard isNew else { return try repeated(submission) }
        var application = ChangeApplication(
            tables: tables, connection: connection, commit: number, cascadeLimit: submission.cascadeLimit
        )
        try application.apply(submission.steps.get())
        commit = number
        batch?.storedChangeSets += 1
        batch?.add(application.totals)
        return Receipt(changeSet: submission.id, commit: number, isRepeat: false)
    }

    private func repeated(_ submission: Submission) throws -> Receipt {
        guard let entry = try ReceiptTable.entry(submission.idText, in: connection), let number = entry.commit else {
            throw StoreError.alreadyDiscarded
        }
        guard entry.fingerprint == submission.fingerprint else { throw StoreError.alreadySaved(commit: number) }
        return Receipt(changeSet: submission.id, commit: number, isRepeat: true)
    }

    /// Once saved or discarded, a draft stays so.
    func discard(_ draft: String) throws -> Job.Answer {
        _ = try ReceiptTable.add(draft, fingerprint: nil, commit: nil, at: now(), in: connection)
        return .discarded
    }
}
