package import AviaryDomain
package import Foundation

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

extension ListViewModel {
    /// The operation of that name that the principal may do; nil for none.
    package func operation(_ name: String) -> BatchOperation? {
        if name == "delete" { return canDelete ? .delete : nil }
        return actions.first { $0.name == name }.map(BatchOperation.action)
    }

    /// Others may change a record while an action reads it: then it is asked again.
    private static var mostAttempts: Int { 5 }

    /// Does what the application declared with the records.
    ///
    /// - Parameter changeSet: Makes it safe to repeat the request.
    package func perform(
        _ action: BulkAction, on ids: [UUID], as changeSet: UUID, records: any ModelRecords
    ) async -> ActionOutcome {
        guard principal.may(action.permission, schema.name) else {
            return .refused(reason: localized("Your role does not allow this."), isTemporary: false)
        }
        for _ in 0..<Self.mostAttempts {
            do {
                if let receipt = try await records.receipt(of: changeSet) { return .done(commit: receipt.commit) }
                let changes = try await action.changeSet(for: ids, of: records, as: changeSet, author: principal.name)
                guard !changes.changes.isEmpty else { return .nothingToDo }
                return .done(commit: try await records.submit(changes).commit)
            } catch StoreError.conflict {
                continue
            } catch StoreError.notFound {
                continue
            } catch let error as StoreError {
                return refusal(error, of: action)
            } catch is ReadError {
                return .refused(
                    reason: localized(
                        "The \(schema.pluralName) could not be read. Nothing was changed. Try again in a moment."),
                    isTemporary: true)
            } catch let error as any ActionRefusal {
                return .refused(reason: error.reason, isTemporary: false)
            } catch {
                return .refused(
                    reason: localized("“\(action.title)” did not work for them. Nothing was changed."),
                    isTemporary: false, cause: error
                )
            }
        }
        return .refused(
            reason: localized(
                "Others are changing these \(schema.pluralName) all the time. Nothing was changed. Try again in a moment."
            ), isTemporary: true)
    }

    private func refusal(_ error: StoreError, of action: BulkAction) -> ActionOutcome {
        switch error {
        case .invalid(_, let problems):
            let sentences = problems.map { "\(schema.property($0.property)?.label ?? $0.property): \($0.message)" }
            return .refused(
                reason: localized("Nothing was changed.") + " " + sentences.joined(separator: " "), isTemporary: false)
        case .alreadySaved(let commit): return .done(commit: commit)
        case .unanswered:
            let reason = localized(
                "The store did not answer, so it is not known whether this was done. Try again: nothing is done twice.")
            return .refused(reason: reason, isTemporary: true)
        case .unavailable, .busy:
            return .refused(
                reason: localized("The store takes no changes at the moment. Try again shortly."), isTemporary: true)
        case .damaged:
            return .refused(
                reason: localized(
                    "The store's file is damaged in this place, so nothing was changed. Tell whoever runs the server; everything else can be saved."
                ), isTemporary: false)
        case .outOfSpace:
            return .refused(
                reason: localized("The server's disk is full. Nothing was changed. Try again when there is room."),
                isTemporary: true)
        default:
            return .refused(
                reason: localized("“\(action.title)” does not fit what is stored. Nothing was changed."),
                isTemporary: false)
        }
    }
}

/// What is done with many records, a part after the other.
package enum BatchOperation: Sendable {
    case delete
    case action(BulkAction)

    /// As addresses name it.
    package var name: String {
        switch self {
        case .delete: "delete"
        case .action(let action): action.name
        }
    }

    package var title: String {
        switch self {
        case .delete: localized("Delete")
        case .action(let action): action.title
        }
    }

    var permission: ModelAction {
        switch self {
        case .delete: .delete
        case .action(let action): action.permission
        }
    }
}
