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

    private static func isNews(_ field: Substring) -> Bool {
        Kind.allCases.contains { field.hasPrefix($0.rawValue + "=") }
    }

    /// Only what is so is said, and only to whoever did it: anybody can make a link with such an address.
    ///
    /// - Parameter back: Where taking it back leads to; nil for the overview.
    func notices(_ context: AdminRequestContext, back: String? = nil) async throws -> [Notice] {
        guard let (kind, number) = named(context.query),
              // A page without the news is better than none.
              let commit = try? await site.container.history.commit(number),
              commit.author == (try context.principal).name, (commit.undoes == nil) == (kind == .did),
              kind == .undone || site.now().timeIntervalSince(commit.time) < Self.patience
        else { return [] }
        return [Notice(.success, await text(kind, commit), actions: [
            .post(
                title: kind == .did ? localized("Undo") : localized("Redo"), action: ActivityPaths.undo(number),
                csrf: site.tokens.token(for: context.session),
                hidden: ActivityPaths.undoFields(returningTo: back)
            )
        ])]
    }

    private func named(_ query: [FormField]) -> (Kind, Int64)? {
        Kind.allCases.lazy.compactMap { kind in query.value(kind.rawValue).flatMap { Int64($0) }.map { (kind, $0) } }.first
    }

    private func text(_ kind: Kind, _ commit: CommitSummary) async -> String {
        guard kind == .did else { return localized("Taken back.") }
        let first = try? await site.container.history.changes(of: commit.number, after: nil, limit: 1).first  // as above
        let count = commit.changes
        return first?.kind == .delete
            ? localized(count, one: "1 record was deleted.", other: "\(count) records were deleted.")
            : localized(count, one: "1 record was changed.", other: "\(count) records were changed.")
    }
}
