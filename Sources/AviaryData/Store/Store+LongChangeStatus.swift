package import AviaryDomain
package import Foundation

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
        let waiting = longChanges.waiting.filter { $0.work.changeSet == changeSet }
        longChanges.waiting.removeAll { $0.work.changeSet == changeSet }
        for job in waiting { job.answer(.failure(.stopped)) }
        // The next step gives the change up, because a transaction may be open now.
        if longChanges.change?.id == changeSet { longChanges.stopped = changeSet }
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
