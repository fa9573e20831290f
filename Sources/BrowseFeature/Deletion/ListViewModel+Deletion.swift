import AviaryDesign
package import AviaryDomain
package import Foundation

extension ListViewModel {
    /// Deletes the records, all or none.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the records. Positions are not used, because they shift when others edit the
    ///     list.
    ///   - changeSet: The identifier of the change set. It makes the request idempotent.
    ///   - cascadeLimit: The number of other records that the delete may cascade to. If there are more, the user is
    ///     asked first.
    /// - Throws: ``AccessError``.
    package func delete(
        _ ids: [UUID], changeSet: UUID, cascadeLimit: Int, schema: Schema
    ) async throws(AccessError) -> DeleteOutcome {
        try principal.check(.delete, self.schema)
        var cascadeLimit = cascadeLimit
        do {
            if mayTakeForbidden(schema) {
                let plan = try await repository.deletePlan(for: ids)
                let question = try await question(plan, ids, schema)
                guard question.confirm != nil else {
                    return question.refusal
                }
                // The store rejects the delete if the cascade grows between this read and the commit.
                cascadeLimit = min(cascadeLimit, plan.cascadeCount)
            }
            let title = try await singleTitle(ids)
            let receipt = try await repository.delete(
                ids: ids, as: Deletion(changeSet: changeSet, author: principal.name, cascadeLimit: cascadeLimit)
            )
            let name = title.map { TextFormatter.quoted($0) } ?? self.schema.counted(ids.count)
            return .deleted(ids: ids, message: localized("Deleted \(name)"), commit: receipt.commit)
        } catch let error as StoreError {
            return await outcome(of: error, ids, schema: schema)
        } catch {
            return .refused(
                reason: localized("Couldn’t load the \(self.schema.pluralName). Nothing was deleted."),
                isTemporary: true)
        }
    }

    /// Returns the question for a confirmation page, or nil if none of the records exists any more.
    package func question(_ ids: [UUID], schema: Schema) async throws -> DeleteQuestion? {
        try principal.check(.delete, self.schema)
        let plan = try await repository.deletePlan(for: ids)
        guard plan.requested > 0 else { return nil }
        return try await question(plan, ids, schema)
    }

    private func question(_ plan: DeletePlan, _ ids: [UUID], _ schema: Schema) async throws -> DeleteQuestion {
        DeleteQuestion(
            plan: plan, title: try await singleTitle(ids), titles: await titles(against: plan, schema),
            model: self.schema,
            schema: schema, principal: principal
        )
    }

    /// Returns the question with all obstacles by name, because the store reports only the first one.
    ///
    /// If the complete plan cannot be read, the question contains only what the store reported.
    private func question(beyond found: DeletePlan, _ ids: [UUID], _ schema: Schema) async -> DeleteQuestion {
        // As above: the question then has what the store reported.
        let plan = (try? await repository.deletePlan(for: ids)).flatMap { $0.obstacles.isEmpty ? nil : $0 } ?? found
        return DeleteQuestion(
            plan: plan, title: await titleForQuestion(ids), titles: await titles(against: plan, schema),
            model: self.schema,
            schema: schema, principal: principal
        )
    }

    /// Indicates whether delete rules could cascade to records that the principal is not allowed to delete.
    private func mayTakeForbidden(_ schema: Schema) -> Bool {
        var reached: Set<String> = [self.schema.name], waiting = [self.schema.name]
        while let model = waiting.popLast() {
            for next in schema.cascades(from: model) where reached.insert(next).inserted {
                guard principal.may(.delete, next) else { return true }
                waiting.append(next)
            }
        }
        return false
    }

    private func singleTitle(_ ids: [UUID]) async throws -> String? {
        guard ids.count == 1, let id = ids.first else { return nil }
        let title = try await repository.find(id)?.title(in: self.schema)
        // Users do not recognize a record by its identifier.
        return title == id.canonicalText ? nil : title
    }

    private func titleForQuestion(_ ids: [UUID]) async -> String? {
        try? await singleTitle(ids)  // the question reads well enough without the name
    }

    private func outcome(of error: StoreError, _ ids: [UUID], schema: Schema) async -> DeleteOutcome {
        switch error.reason {
        case .needsConfirmation(let found):
            // The store stopped at the limit. All other obstacles have to be known before the user confirms.
            let question = await question(beyond: found, ids, schema)
            guard question.confirm != nil else {
                return question.refusal
            }
            return .question(question)
        case .deleteDenied(_, let model, let count):
            let found = DeletePlan(
                requested: ids.count, cascades: [:], nullifies: [:], obstacles: [.referrers(model: model, count: count)]
            )
            return await question(beyond: found, ids, schema).refusal
        case .relatedCount(let model, let id, let property, let count, let allowed):
            let other = RelatedNames(schema: schema, principal: principal).model(model)
            let label = other?.property(property).map { TextFormatter.small($0.label) } ?? localized("records")
            let title = await title(of: id, in: other)
            let name =
                title.map { TextFormatter.quoted($0) }
                ?? TextFormatter.withArticle(other?.singularName ?? localized("record"))
            let reason = localized(
                "Not deleted: \(name) must have \(allowed.bound(brokenBy: count)) of its \(label) and would have \(count). Change it first."
            )
            let link = title == nil ? nil : other.map { LinkedText.Link(name, href: ModelPaths($0).record(id)) }
            return .refused(reason: reason, isTemporary: false, links: [link].compactMap(\.self))
        case .unavailable, .busy:
            return .refused(
                reason: localized("Not deleted: the server can’t save changes right now. Try again in a moment."),
                isTemporary: true)
        case .damaged:
            return .refused(
                reason: localized(
                    "Nothing was changed: the store’s file is damaged in this place. Tell the administrator. Everything else can be saved."
                ), isTemporary: false)
        case .outOfSpace:
            return .refused(
                reason: localized("Not deleted: the server’s disk is full. Ask the administrator to free up space."),
                isTemporary: true)
        case .alreadySaved, .alreadyDiscarded:
            return .refused(
                reason: localized("Not deleted: this request was already answered. Reload the page and try again."),
                isTemporary: false)
        case .stopped: return .stopped
        case .unanswered:
            return .unconfirmed(reason: localized("Couldn’t confirm the delete. Reload the page to check."))
        case .missingReference:
            return .refused(
                reason: localized("Not deleted: other records still refer to it. Delete or change them first."),
                isTemporary: false)
        default:
            return .refused(
                reason: localized(
                    "Not deleted: this request doesn’t fit the saved records. Reload the page and try again."),
                isTemporary: false)
        }
    }
}

extension DeleteQuestion {
    /// The refusal for a question that the user cannot confirm.
    fileprivate var refusal: DeleteOutcome {
        .refused(
            reason: localized("Not deleted:") + " " + lines.joined(separator: " "), isTemporary: false, links: links)
    }
}

extension Schema {
    /// Returns the models whose records a delete of the model cascades to, through a reference or a link.
    fileprivate func cascades(from model: String) -> [String] {
        let sides = links.flatMap { [($0.source, $0.target), ($0.target, $0.source)] }
        return foreignKeys(to: model).filter { $0.deleteRule == .cascade }.map(\.model)
            + sides.filter { own, _ in own.model == model && own.deleteRule == .cascade }.map { $1.model }
    }
}

extension ListViewModel {
    /// The largest number of blocking records that are named.
    private static let mostNamed = 3
    private static let longestTitle = 60

    /// Returns the titles of some of the records that block the delete.
    func titles(against plan: DeletePlan, _ schema: Schema) async -> [DeleteObstacle: [RecordChoice]] {
        var titles: [DeleteObstacle: [RecordChoice]] = [:]
        for obstacle in plan.obstacles {
            switch obstacle {
            case .referrers(let model, _, let first), .relatedCount(let model, _, _, _, let first):
                titles[obstacle] = await self.titles(of: first, in: model, schema)
            }
        }
        return titles
    }

    /// Returns the title of the record, or nil if the user is not allowed to see the model.
    func title(of id: UUID, in model: ModelSchema?) async -> String? {
        // If the record cannot be read, the message is clear enough without its title.
        guard let model, let record = try? await others(model.name)?.find(id) else { return nil }
        return RecordName(principal: principal).name(of: record, in: model).map {
            TextFormatter.beginning(of: $0, longest: Self.longestTitle)
        }
    }

    private func titles(of ids: [UUID], in model: String, _ schema: Schema) async -> [RecordChoice] {
        guard principal.may(.view, model), let model = schema.model(model) else { return [] }
        var titles: [RecordChoice] = []
        for id in ids.prefix(Self.mostNamed) {
            if let title = await title(of: id, in: model) { titles.append(RecordChoice(id: id, title: title)) }
        }
        return titles
    }
}
