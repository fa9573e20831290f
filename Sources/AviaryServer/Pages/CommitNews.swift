import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import Hummingbird

/// What a page says to whoever comes to it after something was done or taken back, with the way to take that back in turn.
struct CommitNews {
    /// What the address says, by the name of its field.
    enum Kind: String, CaseIterable {
        case did, undone
    }

    let site: AdminSite

    /// Who comes back to the page later finds the change under Activity.
    private static let patience: TimeInterval = 10 * 60

    /// The address with the news, in place of earlier ones.
    static func address(_ path: String, _ kind: Kind, _ commit: Int64) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.dropFirst().first.map { $0.split(separator: "&").filter { !isNews($0) } } ?? []
        return String(parts.first ?? "/").withQuery((query + ["\(kind.rawValue)=\(commit)"]).joined(separator: "&"))
    }

    /// The address with the news that a record was saved.
    static func address(_ path: String, saved record: UUID, _ commit: Int64) -> String {
        address(path, .did, commit) + "&\(savedField)=\(record.canonicalText)"
    }

    private static func isNews(_ field: Substring) -> Bool {
        field.hasPrefix(savedField + "=") || Kind.allCases.contains { field.hasPrefix($0.rawValue + "=") }
    }

    private static let savedField = "saved"

    /// Only what is so is said, and only to whoever did it: anybody can make a link with such an address.
    ///
    /// - Parameters:
    ///   - back: Where taking it back leads to; nil for the overview.
    ///   - model: Whose records the page shows; nil where it shows none.
    func notices(_ context: AdminRequestContext, back: String? = nil, of model: AdminModel? = nil) async throws
        -> [Notice]
    {
        guard let (kind, number) = named(context.query) else { return [] }
        // A page without the news is better than none.
        let saved = try? await self.saved(context, of: kind == .did ? model : nil, by: number)
        guard let (_, result) = try? await result(context) else {
            // Of what the history does not keep there is nothing to take back.
            let isKept = (try? await site.container.history.commit(number) != nil) ?? true
            return isKept ? [] : saved.map { [Notice(.success, $0)] } ?? []
        }
        guard let text = saved ?? result.sentence else { return [] }
        let canUndo = result.canUndo && result.sentence != nil
        return [Notice(.success, text, actions: canUndo ? [action(kind, number, context, back)] : [])]
    }

    /// `“Rex” is saved.`; nil where the address does not say so, or it is not so.
    private func saved(_ context: AdminRequestContext, of model: AdminModel?, by number: Int64) async throws -> String?
    {
        guard let model, try context.principal.may(.view, model.schema.name),
            let id = context.query.value(Self.savedField).flatMap({ UUID(canonicalText: $0) }),
            let record = try await model.repository.find(id), record.version <= number
        else { return nil }
        let title = record.title(in: model.schema)
        // Nobody knows a record by its id.
        guard title != id.canonicalText else { return localized("The \(model.schema.singularName) is saved.") }
        return localized("\(Words.quoted(Words.beginning(of: title, longest: 80))) is saved.")
    }

    /// The way to take back what the address says was just done; nil for whoever may not, or did not do it.
    func undo(_ context: AdminRequestContext, back: String) async throws -> NoticeAction? {
        // As above.
        guard let (kind, result) = try? await result(context), kind == .did, result.canUndo else { return nil }
        return action(kind, result.commit, context, back)
    }

    /// What the commit did, in words; nil where nothing of it is kept or may be seen.
    func sentence(of commit: Int64, for principal: Principal) async throws -> String? {
        let history = site.container.history
        guard let summary = try await history.commit(commit) else { return nil }
        return try await CommitResult(of: summary, in: site.activityScope(of: principal), history: history).sentence
    }

    private func result(_ context: AdminRequestContext) async throws -> (Kind, CommitResult)? {
        let principal = try context.principal, history = site.container.history
        guard let (kind, number) = named(context.query), let commit = try await history.commit(number),
            commit.author == principal.name, (commit.undoes == nil) == (kind == .did),
            kind == .undone || site.now().timeIntervalSince(commit.time) < Self.patience
        else { return nil }
        return (kind, try await CommitResult(of: commit, in: site.activityScope(of: principal), history: history))
    }

    private func action(_ kind: Kind, _ commit: Int64, _ context: AdminRequestContext, _ back: String?) -> NoticeAction
    {
        .post(
            title: kind == .did ? localized("Undo") : localized("Redo"), action: ActivityPaths.undo(commit),
            csrf: site.tokens.token(for: context.session), hidden: ActivityPaths.undoFields(returningTo: back)
        )
    }

    private func named(_ query: [FormField]) -> (Kind, Int64)? {
        Kind.allCases.lazy.compactMap { kind in query.value(kind.rawValue).flatMap { Int64($0) }.map { (kind, $0) } }
            .first
    }
}
