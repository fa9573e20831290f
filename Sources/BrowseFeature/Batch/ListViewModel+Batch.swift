package import AviaryDomain
import Foundation

extension ListViewModel {
    /// For so long one step works before it tells how far it has come.
    package static var stepLimit: Duration { .seconds(1) }

    /// What the next form does, by ids, so that every record is looked at once, whatever the step before made of it. Empty at
    /// the end.
    ///
    /// - Parameter mayTakeLong: Whether somebody waits for the batch to go on, and not for a page.
    package func nextPart(_ progress: BatchProgress, mayTakeLong: Bool = true) async throws -> BatchPart {
        let size = progress.size < BatchProgress.mostSize ? progress.size : BatchPart.mostRecords
        let conditions = conditions(progress)
        let request = PageRequest(
            sort: ListOrder(property: "id", direction: .ascending),
            cursor: progress.after.map { .after(KeysetPosition(value: .null, id: $0)) }, size: size,
            conditions: conditions
        )
        do {
            return BatchPart(try await repository.page(request).records.map(\.id))
        } catch let error as ReadError {
            guard case .tookTooLong = error, mayTakeLong else { throw error }
            let rest = progress.after.map { [QueryExpression.ordered(.greater, .id, .constant($0.fieldValue))] } ?? []
            return BatchPart(
                try await repository.identifiers(RecordQuery(condition: .all(conditions + rest), limit: size)))
        }
    }

    /// Does the operation with the records of a form.
    ///
    /// **Each at most once.** What is done with some of them is stored under an id that follows from them, so a form that is
    /// sent again, or whose answer was lost, finds what was stored. Where one is refused nothing of its commit is stored; it is
    /// tried with half as many, until what cannot be changed stands alone, is counted, and left as it is. After the first
    /// commit of that kind the step ends: the next form is about what is left.
    ///
    /// - Parameters:
    ///   - records: For actions, which read what they change.
    ///   - schema: For what goes along with a delete.
    ///   - limit: After which nothing more is begun.
    ///   - isGood: Whether the account may still do what it might when it began, asked before each commit.
    /// - Throws: ``AccessRefusal``.
    package func step(
        _ operation: BatchOperation, on part: BatchPart, from progress: BatchProgress, records: any ModelRecords,
        schema: Schema, within limit: Duration = ListViewModel.stepLimit,
        isGood: @Sendable () async throws -> Bool
    ) async throws(AccessRefusal) -> BatchStep {
        try principal.check(operation.permission, self.schema)
        var step = BatchStep(progress: progress, rest: part)
        let deadline = ContinuousClock.now + limit
        var hasRefused = progress.size < BatchProgress.mostSize
        while !step.rest.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled {
            var ids = step.rest.prefix(step.progress.size)
            let outcome: ActionOutcome
            do {
                guard try await isGood() else {
                    step.stoppedBecause = AccountEnded().description
                    return step
                }
                if let (stored, commit) = try await stored(ids, step.progress, records) {
                    ids = stored
                    outcome = .done(commit: commit)
                } else {
                    outcome = try await attempt(operation, ids, step.progress, records: records, schema: schema)
                }
            } catch {
                step.stoppedBecause = localized("The \(self.schema.pluralName) could not be read. Go on in a moment.")
                return step
            }
            switch outcome {
            case .done, .nothingToDo:
                if case .done(let commit) = outcome { step.progress.note(commit) }
                step.pass(ids)
                step.progress.size = min(step.progress.size * 2, BatchProgress.mostSize)
                if hasRefused { return step }
            case .refused(let reason, isTemporary: true, _):
                step.stoppedBecause = reason
                return step
            case .refused(_, _, let cause):
                hasRefused = true
                step.cause = step.cause ?? cause
                if ids.count == 1 { step.refuse(ids) } else { step.progress.size = ids.count / 2 }
            }
        }
        return step
    }

    private func conditions(_ progress: BatchProgress) -> [QueryExpression] {
        query.conditions(for: configuration) + [.ordered(.lessOrEqual, .id, .constant(progress.until.fieldValue))]
    }

    /// Which of the records were done already: all, or as many of the first as were tried with after others of them were refused.
    private func stored(
        _ ids: [UUID], _ progress: BatchProgress, _ records: any ModelRecords
    ) async throws -> (ids: [UUID], commit: Int64)? {
        for count in sequence(first: ids.count, next: { $0 > 1 ? $0 / 2 : nil }) {
            let first = Array(ids.prefix(count))
            if let receipt = try await records.receipt(of: progress.series.changeSet(first)) {
                return (first, receipt.commit)
            }
        }
        return nil
    }

    private func attempt(
        _ operation: BatchOperation, _ ids: [UUID], _ progress: BatchProgress, records: any ModelRecords, schema: Schema
    ) async throws -> ActionOutcome {
        // The page may have lain there for long: what does not match any more was not meant.
        let isAmong = QueryExpression.isMember(.id, of: ids.map(\.fieldValue))
        let matching = try await repository.identifiers(RecordQuery(condition: .all(conditions(progress) + [isAmong])))
        guard !matching.isEmpty else { return .nothingToDo }
        return await perform(
            operation, on: matching, as: progress.series.changeSet(ids), records: records, schema: schema)
    }

    private func perform(
        _ operation: BatchOperation, on ids: [UUID], as changeSet: UUID, records: any ModelRecords, schema: Schema
    ) async -> ActionOutcome {
        switch operation {
        case .action(let action): return await perform(action, on: ids, as: changeSet, records: records)
        case .delete:
            do {
                switch try await delete(ids, changeSet: changeSet, cascadeLimit: .max, schema: schema) {
                case .deleted(_, _, let commit): return .done(commit: commit)
                case .question(let question): return .refused(reason: question.title, isTemporary: false)
                case .refused(let reason, let isTemporary, _): return .refused(reason: reason, isTemporary: isTemporary)
                }
            } catch {
                return .refused(reason: localized("Your role does not allow this."), isTemporary: true)
            }
        }
    }
}

extension BatchStep {
    fileprivate mutating func pass(_ ids: [UUID]) {
        progress.done += ids.count
        leave(ids)
    }

    fileprivate mutating func refuse(_ ids: [UUID]) {
        progress.refused += ids.count
        leave(ids)
    }

    private mutating func leave(_ ids: [UUID]) {
        progress.after = ids.last
        rest.removeFirst(ids.count)
    }
}
