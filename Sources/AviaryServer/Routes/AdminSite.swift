import AviaryDesign
import AviaryDomain
import Foundation

/// Everything that the admin's routes work with.
struct AdminSite: Sendable {
    let name: String
    let container: DependencyContainer
    let tokens: CSRFTokens
    let drafts: DraftCookies

    var schema: Schema { container.schema }

    /// - Throws: ``RequestRefusal/notFound``.
    func model(_ slug: String?) throws -> AdminModel {
        guard let slug, let model = container.model(slug: slug) else { throw RequestRefusal.notFound }
        return model
    }

    /// The drafts of the request, without those that were saved or discarded meanwhile.
    func shelf(_ opened: DraftShelf) async -> DraftShelf {
        guard !opened.drafts.isEmpty else { return opened }
        var shelf = opened
        shelf.drafts = []
        for kept in opened.drafts {
            // While the store cannot be read nothing is known to be settled: better show a draft once too often.
            let outcome = (try? await container.ledger.outcome(ofDraft: kept.draft.id)) ?? nil
            if outcome == nil {
                shelf.drafts.append(kept)
            } else {
                shelf.settled.append(kept.cookie)
            }
        }
        return shelf
    }
}

/// One model as the admin serves it.
struct AdminModel: Sendable {
    let configuration: ModelConfiguration
    let repository: any RecordRepository

    var schema: ModelSchema { configuration.schema }
    var paths: ModelPaths { ModelPaths(schema) }
}
