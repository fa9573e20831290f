import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// Asks for the actor's own password before an act that gives somebody access. A browser that is left alone, or a copied
/// cookie, is not enough for those.
struct StepUp: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Looks at the password that came with the act's form.
    ///
    /// - Parameters:
    ///   - action: Where the act's form was sent to.
    ///   - cancelPath: Where one is without the act.
    /// - Returns: The page that asks for the password; nil where it was given, now or a few minutes ago.
    func question(
        before action: String, cancelPath: String, at place: AdminPlace, context: AdminRequestContext
    ) async throws -> Response? {
        let principal = try context.principal
        let owner = try await reading {
            try await AccountOwner(
                principal: principal, session: context.session.token.id, successor: SecretToken().id,
                accounts: site.container.accounts, passwords: site.passwords, attemptID: site.attemptID, at: site.now()
            )
        }
        guard owner.isProofDue else { return nil }
        var proof: AccountOwner.Proof?
        if let password = context.form.value(StepUpView.field) {
            // A store that does not answer cannot count an attempt, so none is taken.
            proof = try await reading { try await owner.stepUp(password) }
        }
        let outcome: AccountOutcome
        switch proof {
        case .given: return nil
        case nil: outcome = .done
        case .wrong: outcome = .refused
        case .wait(let seconds): outcome = .wait(seconds: seconds)
        }
        let csrf = site.tokens.token(for: context.session)
        let view = StepUpView(
            application: site.name, action: action, csrf: csrf, fields: context.form, proof: proof,
            cancelPath: cancelPath)
        return try await pages.page(view, title: StepUpView.title, at: place, outcome, csrf: csrf, context: context)
    }
}
