package import AviaryDomain
package import Foundation

extension ListViewModel {
    /// Deletes the rows, all or none.
    ///
    /// - Parameters:
    ///   - ids: identities, never positions: positions shift while others edit.
    ///   - changeSet: makes it safe to repeat the request.
    ///   - cascadeLimit: how many other records may go along; more is asked first.
    /// - Throws: ``AccessRefusal``.
    package func delete(
        _ ids: [UUID], changeSet: UUID, cascadeLimit: Int, schema: Schema
    ) async throws(AccessRefusal) -> DeleteOutcome {
        try principal.check(.delete, self.schema)
        var cascadeLimit = cascadeLimit
        do {
            if mayTakeForbidden(schema) {
                let plan = try await repository.deletePlan(for: ids)
                let question = DeleteQuestion(
                    plan: plan, title: try await singleTitle(ids), model: self.schema, schema: schema, principal: principal
                )
                guard question.confirm != nil else {
                    return .refused(reason: localized("Not deleted:") + " " + question.lines.joined(separator: " "), isTemporary: false)
                }
                // What is added to the cascade between this look and the commit is refused by the store.
                cascadeLimit = min(cascadeLimit, plan.cascadeCount)
            }
            let title = try await singleTitle(ids)
            let receipt = try await repository.delete(
                ids: ids, as: Deletion(changeSet: changeSet, author: principal.name, cascadeLimit: cascadeLimit)
            )
            let name = title.map { Words.quoted($0) } ?? self.schema.counted(ids.count)
            return .deleted(ids: ids, message: localized("Deleted \(name)."), commit: receipt.commit)
        } catch StoreError.needsConfirmation(let found) {
            // The store stopped at the number; what else stands against it has to be known before somebody says yes. Unreadable
            // for a moment, it is told when they do.
            let plan = (try? await repository.deletePlan(for: ids)).flatMap { $0.obstacles.isEmpty ? nil : $0 } ?? found
            let question = DeleteQuestion(plan: plan, title: await titleForQuestion(ids), model: self.schema, schema: schema, principal: principal)
            guard question.confirm != nil else {
                return .refused(reason: localized("Not deleted:") + " " + question.lines.joined(separator: " "), isTemporary: false)
            }
            return .question(question)
        } catch let error as StoreError {
            return refusal(error, schema: schema)
        } catch {
            return .refused(reason: localized("The \(self.schema.pluralName) could not be read. Nothing was deleted."), isTemporary: true)
        }
    }

    /// What a confirmation page asks, or nil when none of the records exists any more.
    package func question(_ ids: [UUID], schema: Schema) async throws -> DeleteQuestion? {
        try principal.check(.delete, self.schema)
        let plan = try await repository.deletePlan(for: ids)
        guard plan.requested > 0 else { return nil }
        return DeleteQuestion(plan: plan, title: try await singleTitle(ids), model: self.schema, schema: schema, principal: principal)
    }

    /// Whether delete rules could reach records that the principal may not delete.
    private func mayTakeForbidden(_ schema: Schema) -> Bool {
        var reached: Set<String> = [self.schema.name], waiting = [self.schema.name]
        while let model = waiting.popLast() {
            for key in schema.foreignKeys(to: model) where key.deleteRule == .cascade && reached.insert(key.model).inserted {
                guard principal.may(.delete, key.model) else { return true }
                waiting.append(key.model)
            }
        }
        return false
    }

    private func singleTitle(_ ids: [UUID]) async throws -> String? {
        guard ids.count == 1, let id = ids.first else { return nil }
        let title = try await repository.find(id)?.title(in: self.schema)
        // Nobody knows a record by its id.
        return title == id.canonicalText ? nil : title
    }

    private func titleForQuestion(_ ids: [UUID]) async -> String? {
        try? await singleTitle(ids)  // the question reads well enough without the name
    }

    private func refusal(_ error: StoreError, schema: Schema) -> DeleteOutcome {
        switch error {
        case .deleteDenied(_, let referencedBy, let count):
            let others = RelatedNames(schema: schema, principal: principal).counted(referencedBy, count)
            let reason = localized(
                count, one: "Not deleted: \(others) still refers to it. Delete or change them first.",
                other: "Not deleted: \(others) still refer to it. Delete or change them first."
            )
            return .refused(reason: reason, isTemporary: false)
        case .relatedCount(let model, _, let property, let count, let allowed):
            let other = RelatedNames(schema: schema, principal: principal).model(model)
            let label = other?.property(property).map { Words.small($0.label) } ?? localized("records")
            let name = Words.withArticle(other?.singularName ?? localized("record"))
            let reason = localized("Not deleted: \(name) takes \(allowed.bound(brokenBy: count)) of its \(label), and would have \(count). Change it first.")
            return .refused(reason: reason, isTemporary: false)
        case .unavailable, .busy:
            return .refused(reason: localized("Not deleted: the store takes no changes at the moment. Try again shortly."), isTemporary: true)
        case .outOfSpace:
            return .refused(reason: localized("Not deleted: the server's disk is full. Try again when there is room."), isTemporary: true)
        case .alreadySaved, .alreadyDiscarded:
            return .refused(reason: localized("Not deleted: this request was answered before. Reload the page and try again."), isTemporary: false)
        case .unanswered:
            return .refused(reason: localized("The store did not answer, so it is not known whether this was deleted. Reload the page to see."), isTemporary: true)
        case .missingReference:
            return .refused(reason: localized("Not deleted: other records still refer to it. Delete or change them first."), isTemporary: false)
        default:
            return .refused(reason: localized("Not deleted: this request does not fit what is stored. Reload the page and try again."), isTemporary: false)
        }
    }
}
