import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import Hummingbird

/// The message on a page after a change was made or undone, with the button that undoes it.
struct FlashMessage {
    /// The kind of change, which is also the name of its field in the address.
    enum Kind: String, CaseIterable {
        case did, undone
    }

    let site: AdminSite

    /// The time in seconds for which the message about a change is shown. Later the change can be found under Activity.
    private static let patience: TimeInterval = 10 * 60

    /// Returns the address with the message, in place of earlier ones.
    static func address(_ path: String, _ kind: Kind, _ commit: Int64) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.dropFirst().first.map { $0.split(separator: "&").filter { !isFlashMessage($0) } } ?? []
        return String(parts.first ?? "/").withQuery((query + ["\(kind.rawValue)=\(commit)"]).joined(separator: "&"))
    }

    /// Returns the address with the message that a record was saved.
    static func address(_ path: String, saved record: UUID, _ commit: Int64) -> String {
        address(path, .did, commit) + "&\(savedField)=\(record.canonicalText)"
    }

    private static func isFlashMessage(_ field: Substring) -> Bool {
        field.hasPrefix(savedField + "=") || Kind.allCases.contains { field.hasPrefix($0.rawValue + "=") }
    }

    private static let savedField = "saved"

    /// Returns the record that the address names as saved; nil for an address with other news or none.
    static func savedRecord(_ context: AdminRequestContext) -> UUID? {
        guard context.query.value(Kind.did.rawValue) != nil else { return nil }
        return context.query.value(savedField).flatMap { UUID(canonicalText: $0) }
    }

    /// Returns the messages of the address.
    ///
    /// The message appears only if it is true, and only to the person who made the change, because anybody can
    /// create a link with such an address.
    ///
    /// - Parameters:
    ///   - back: The page to return to after an undo; nil for the overview.
    ///   - model: The model whose records the page shows; nil when it shows none.
    func notices(_ context: AdminRequestContext, back: String? = nil, of model: AdminModel? = nil) async throws
        -> [Notice]
    {
        guard let (kind, number) = named(context.query) else { return [] }
        // A page without the message is better than no page.
        let saved = try? await self.saved(context, of: kind == .did ? model : nil, by: number)
        guard let (_, result) = try? await result(context) else {  // as above
            // A commit that the history does not keep cannot be undone.
            let isKept = (try? await site.container.history.commit(number) != nil) ?? true
            return isKept ? [] : saved.map { [Notice(.success, $0)] } ?? []
        }
        guard let text = saved ?? result.sentence else { return [] }
        // If that cannot be read, the button is shown: the store refuses to undo a change twice.
        let isUndone = (try? await site.container.history.undoneCommits(of: [number]).contains(number)) ?? false
        let canUndo = result.canUndo && result.sentence != nil && !isUndone
        return [Notice(.success, text, actions: canUndo ? [action(kind, number, context, back)] : [])]
    }

    /// Returns the text `Saved “Rex”`, or nil when the address does not say so or it is not true.
    private func saved(_ context: AdminRequestContext, of model: AdminModel?, by number: Int64) async throws -> String?
    {
        guard let model, try context.principal.may(.view, model.schema.name),
            let id = Self.savedRecord(context), let record = try await model.repository.find(id),
            record.version <= number
        else { return nil }
        let title = record.title(in: model.schema)
        // A person does not recognize a record by its id.
        guard title != id.canonicalText else { return localized("Saved the \(model.schema.singularName)") }
        return localized("Saved \(TextFormatter.quoted(TextFormatter.beginning(of: title, longest: 80)))")
    }

    /// Returns the button that undoes the change in the address; nil for people who may not undo it or did not
    /// make it.
    func undo(_ context: AdminRequestContext, back: String) async throws -> NoticeAction? {
        // A page without the button is better than no page.
        guard let (kind, result) = try? await result(context), kind == .did, result.canUndo else { return nil }
        return action(kind, result.commit, context, back)
    }

    /// Returns a sentence about the commit; nil when the history keeps nothing of it that the person may see.
    func sentence(of commit: Int64, for principal: Principal) async throws -> String? {
        let history = site.container.history
        let running = await site.container.longChange()
        guard let summary = try await history.commit(commit) else { return nil }
        return try await CommitResult(
            of: summary, in: site.activityScope(of: principal), history: history, during: running
        ).sentence
    }

    private func result(_ context: AdminRequestContext) async throws -> (Kind, CommitResult)? {
        let principal = try context.principal, history = site.container.history
        guard let (kind, number) = named(context.query) else { return nil }
        let running = await site.container.longChange()
        guard let commit = try await history.commit(number),
            commit.author == principal.name, (commit.undoes == nil) == (kind == .did),
            kind == .undone || site.now().timeIntervalSince(commit.time) < Self.patience
        else { return nil }
        return (
            kind,
            try await CommitResult(
                of: commit, in: site.activityScope(of: principal), history: history, during: running)
        )
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
