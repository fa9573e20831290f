import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import Hummingbird

/// What the page says to which one comes back after something was taken back.
struct UndoNews {
    let site: AdminSite

    private static let name = "undone"

    /// The address with the news, in place of earlier ones.
    static func address(_ path: String, after commit: Int64) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.dropFirst().first.map { $0.split(separator: "&").filter { !$0.hasPrefix(name + "=") } } ?? []
        return String(parts.first ?? "/").withQuery((query + ["\(name)=\(commit)"]).joined(separator: "&"))
    }

    /// Only what is so is said, and only to whoever did it: anybody can make a link with such an address.
    ///
    /// - Parameter request: Where doing it again leads back to; nil for the overview.
    func notices(_ context: AdminRequestContext, on request: Request? = nil) async throws -> [Notice] {
        guard let number = context.query.value(Self.name).flatMap({ Int64($0) }),
              // A page without the news is better than none.
              let commit = try? await site.container.history.commit(number),
              commit.undoes != nil, commit.author == (try context.principal).name
        else { return [] }
        return [Notice(.success, "Taken back.", actions: [
            .post(title: "Redo", action: ActivityPaths.undo(number), csrf: site.tokens.token(for: context.session), hidden: request.map { [("return", $0.uri.string)] } ?? [])
        ])]
    }
}
