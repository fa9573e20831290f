import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation

/// What a list says after something was done with its records, with the way to take it back.
struct DeleteNews {
    let site: AdminSite

    private static let name = "did"
    /// Who comes back to the page later finds the change under Activity.
    private static let patience: TimeInterval = 10 * 60

    static func address(_ path: String, after commit: Int64) -> String {
        path + (path.contains("?") ? "&" : "?") + "\(name)=\(commit)"
    }

    /// Only what is so is said, and only to whoever did it: anybody can make a link with such an address.
    func notices(_ context: AdminRequestContext, of model: AdminModel, location: String) async throws -> [Notice] {
        guard let number = context.query.value(Self.name).flatMap({ Int64($0) }),
              // A page without the news is better than none.
              let commit = try? await site.container.history.commit(number),
              commit.author == (try context.principal).name, commit.undoes == nil,
              site.now().timeIntervalSince(commit.time) < Self.patience
        else { return [] }
        let first = try? await site.container.history.changes(of: number, after: nil, limit: 1).first  // as above
        let verb = first?.kind == .delete ? "deleted" : "changed"
        let text = commit.changes == 1 ? "1 record was \(verb)." : "\(Words.grouped(commit.changes)) records were \(verb)."
        return [Notice(.success, text, actions: [
            .post(
                title: "Undo", action: ActivityPaths.undo(number), csrf: site.tokens.token(for: context.session),
                hidden: [("return", model.paths.list.withQuery(location))]
            )
        ])]
    }
}
