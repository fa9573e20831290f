package import AviaryDomain
package import Foundation

extension ListViewModel {
    /// The duration of one step. After it, the step ends and reports its progress.
    package static var stepLimit: Duration { .seconds(1) }

    /// Returns the records of the next form in the order of their identifiers, so that every record is visited
    /// once, whatever the previous step changed. The part is empty at the end.
    ///
    /// - Parameter mayTakeLong: Indicates whether the user waits for the batch to continue, and not for a page.
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
        } catch let error as ReadError where error.code == .tookTooLong && mayTakeLong {
            let rest = progress.after.map { [QueryExpression.ordered(.greater, .id, .constant($0.fieldValue))] } ?? []
            return BatchPart(
                try await repository.identifiers(RecordQuery(condition: .all(conditions + rest), limit: size)))
        }
    }

    /// Performs the action on the records of a form.
    ///
    /// **Each record at most once.** Changes to a set of records are stored under an identifier derived from the
    /// set, so a form that is submitted again, or whose response was lost, finds the stored commit. If a record is
    /// refused, nothing of its commit is stored. The step retries with half as many records until the refused
    /// record is tried alone, counts it, and leaves it unchanged. After the first successful commit that follows a
    /// refusal, the step ends. The next form contains the remaining records.
    ///
    /// - Parameters:
    ///   - records: The records for actions, which read what they change.
    ///   - limit: The duration after which the step starts no further commit.
    ///   - isGood: A closure that returns whether the account still has the permissions that it had at the start.
    ///     It is called before each commit.
    /// - Throws: ``AccessError``.
    package func step(
        _ action: BulkAction, on part: BatchPart, from progress: BatchProgress, records: any ModelRecords,
        within limit: Duration = ListViewModel.stepLimit,
        isGood: @Sendable () async throws -> Bool
    ) async throws(AccessError) -> BatchStep {
        try principal.check(action.permission, schema)
        var step = BatchStep(progress: progress, rest: part)
        let deadline = ContinuousClock.now + limit
        var hasRefused = progress.size < BatchProgress.mostSize
        while !step.rest.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled {
            var ids = step.rest.prefix(step.progress.size)
            let outcome: ActionOutcome
            do {
                guard try await isGood() else {
                    step.stoppedBecause = AccountEndedError().description
                    return step
                }
                if let (stored, commit) = try await stored(ids, step.progress, records) {
                    ids = stored
                    outcome = .done(commit: commit)
                } else {
                    outcome = try await attempt(action, ids, step.progress, records: records)
                }
            } catch {
                step.stoppedBecause = localized("Couldn’t load the \(schema.pluralName). Continue in a moment.")
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
        conditions(until: progress.until)
    }

    /// Returns the first records that are already stored, with their commit.
    ///
    /// These are all of the records, or a prefix that was tried after others of them were refused.
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
        _ action: BulkAction, _ ids: [UUID], _ progress: BatchProgress, records: any ModelRecords
    ) async throws -> ActionOutcome {
        // The page may have been open for a long time. Records that no longer match are skipped.
        let isAmong = QueryExpression.isMember(.id, of: ids.map(\.fieldValue))
        let matching = try await repository.identifiers(RecordQuery(condition: .all(conditions(progress) + [isAmong])))
        guard !matching.isEmpty else { return .nothingToDo }
        return await perform(action, on: matching, as: progress.series.changeSet(ids), records: records)
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
    /// Returns the action with the name, or nil if there is none or the principal is not allowed to perform it.
    package func action(_ name: String) -> BulkAction? {
        actions.first { $0.name == name }
    }

    /// The largest number of attempts. If others change a record while an action reads it, the action runs again.
    private static var mostAttempts: Int { 5 }

    /// Performs an action that the application declared on the records.
    ///
    /// - Parameter changeSet: The identifier of the change set. It makes the request idempotent.
    package func perform(
        _ action: BulkAction, on ids: [UUID], as changeSet: UUID, records: any ModelRecords
    ) async -> ActionOutcome {
        guard principal.may(action.permission, schema.name) else {
            return .refused(reason: localized("Your role doesn’t allow this."), isTemporary: false)
        }
        for _ in 0..<Self.mostAttempts {
            do {
                if let receipt = try await records.receipt(of: changeSet) { return .done(commit: receipt.commit) }
                let changes = try await action.changeSet(for: ids, of: records, as: changeSet, author: principal.name)
                guard !changes.changes.isEmpty else { return .nothingToDo }
                return .done(commit: try await records.submit(changes).commit)
            } catch let error as StoreError where error.isWriteConflict {
                continue
            } catch let error as StoreError {
                return refusal(error, of: action)
            } catch is ReadError {
                return .refused(
                    reason: localized(
                        "Couldn’t load the \(schema.pluralName). Nothing was changed. Try again in a moment."),
                    isTemporary: true)
            } catch let error as any ActionError {
                return .refused(reason: error.reason, isTemporary: false)
            } catch {
                return .refused(
                    reason: localized("“\(action.title)” failed for these records. Nothing was changed."),
                    isTemporary: false, cause: error
                )
            }
        }
        return .refused(
            reason: localized(
                "Other people keep changing these \(schema.pluralName). Nothing was changed. Try again in a moment."
            ), isTemporary: true)
    }

    private func refusal(_ error: StoreError, of action: BulkAction) -> ActionOutcome {
        switch error.reason {
        case .invalid(_, let problems):
            let sentences = problems.map { "\(schema.property($0.property)?.label ?? $0.property): \($0.message)" }
            return .refused(
                reason: localized("Nothing was changed.") + " " + sentences.joined(separator: " "), isTemporary: false)
        case .alreadySaved(let commit): return .done(commit: commit)
        case .unanswered:
            let reason = localized(
                "Couldn’t confirm the change. Try again: nothing is done twice.")
            return .refused(reason: reason, isTemporary: true)
        case .unavailable, .busy:
            return .refused(
                reason: localized("The server can’t save changes right now. Try again in a moment."), isTemporary: true)
        case .damaged:
            return .refused(
                reason: localized(
                    "Nothing was changed: the store’s file is damaged in this place. Tell the administrator. Everything else can be saved."
                ), isTemporary: false)
        case .outOfSpace:
            return .refused(
                reason: localized(
                    "The server’s disk is full. Nothing was changed. Ask the administrator to free up space."),
                isTemporary: true)
        default:
            return .refused(
                reason: localized("“\(action.title)” doesn’t fit the saved records. Nothing was changed."),
                isTemporary: false)
        }
    }
}
