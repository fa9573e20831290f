package import AviaryDomain
package import Foundation

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
