package import AviaryDomain
import Foundation

extension ListViewModel {
    /// So many records are changed in one commit: few enough that others' saves wait for a moment only.
    static var batchSize: Int { 500 }
    /// For so long one step works before it tells how far it has come.
    private static var stepLimit: Duration { .seconds(1) }

    /// Does the next part of the operation with the records that the list's search and filters find.
    ///
    /// What a part is refused for is looked for by halves; what cannot be changed is counted and left as it is. Whatever ends
    /// the process, what is stored is right, and the next step begins where the last one that was answered ended.
    ///
    /// - Parameters:
    ///   - records: For actions, which read what they change.
    ///   - schema: For what goes along with a delete.
    /// - Throws: ``AccessRefusal``.
    package func step(
        _ operation: BatchOperation, from progress: BatchProgress, records: any ModelRecords, schema: Schema
    ) async throws(AccessRefusal) -> BatchOutcome {
        try principal.check(operation.permission, self.schema)
        var progress = progress
        let deadline = ContinuousClock.now + Self.stepLimit
        repeat {
            let ids: [UUID]
            do {
                ids = try await nextIDs(progress)
            } catch {
                return .stopped(progress, reason: "The \(self.schema.pluralName) could not be read. Go on in a moment.")
            }
            guard let last = ids.last else {
                progress.isFinished = true
                break
            }
            let part = await perform(operation, ids, records: records, schema: schema)
            if let reason = part.stopped { return .stopped(progress, reason: reason) }
            progress.done += part.done
            progress.refused += part.refused
            progress.after = last
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return .went(progress)
    }

    /// By their ids, so that every record is looked at once, whatever the step before made of it.
    private func nextIDs(_ progress: BatchProgress) async throws -> [UUID] {
        let bound = QueryExpression.ordered(.lessOrEqual, .id, .constant(progress.until.fieldValue))
        let conditions = query.conditions(for: configuration) + [bound]
        let request = PageRequest(
            sort: ListOrder(property: "id", direction: .ascending),
            cursor: progress.after.map { .after(KeysetPosition(value: .null, id: $0)) }, size: Self.batchSize, conditions: conditions
        )
        do {
            return try await repository.page(request).records.map(\.id)
        } catch ReadError.tookTooLong {
            // Nobody waits for a page here: it may take as long as it takes.
            let rest = progress.after.map { [QueryExpression.ordered(.greater, .id, .constant($0.fieldValue))] } ?? []
            return try await repository.identifiers(RecordQuery(condition: .all(conditions + rest), limit: Self.batchSize))
        }
    }

    private struct Part {
        var done = 0
        var refused = 0
        /// Why nothing can be changed at the moment.
        var stopped: String?
    }

    private func perform(
        _ operation: BatchOperation, _ ids: [UUID], records: any ModelRecords, schema: Schema
    ) async -> Part {
        var part = Part(), waiting = [ids[...]]
        while let ids = waiting.popLast() {
            switch await attempt(operation, Array(ids), records: records, schema: schema) {
            case .done: part.done += ids.count
            case .refused(let reason, isTemporary: true):
                part.stopped = reason
                return part
            case .refused where ids.count == 1: part.refused += 1
            case .refused:
                let middle = ids.index(ids.startIndex, offsetBy: ids.count / 2)
                waiting += [ids[middle...], ids[..<middle]]
            }
        }
        return part
    }

    private func attempt(
        _ operation: BatchOperation, _ ids: [UUID], records: any ModelRecords, schema: Schema
    ) async -> ActionOutcome {
        switch operation {
        case .action(let action): return await perform(action, on: ids, as: .version7(), records: records)
        case .delete:
            do {
                switch try await delete(ids, changeSet: .version7(), cascadeLimit: .max, schema: schema) {
                case .deleted(_, let message, let commit): return .done(message: message, commit: commit)
                case .question(let question): return .refused(reason: question.title, isTemporary: false)
                case .refused(let reason, let isTemporary): return .refused(reason: reason, isTemporary: isTemporary)
                }
            } catch {
                return .refused(reason: "Your role does not allow this.", isTemporary: true)
            }
        }
    }
}
