import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// The request for the user's own password before an action that grants access.
///
/// An unattended browser or a copied cookie is not enough for such an action.
struct StepUp: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Checks the password that the action's form contains.
    ///
    /// - Parameters:
    ///   - grant: The access that the action grants; nil for access to the application.
    ///   - action: The path to which the action's form was submitted.
    ///   - cancelPath: The path to which Cancel leads.
    /// - Returns: The page that asks for the password, or nil if the user entered it now or within the last few
    ///   minutes.
    func question(
        _ grant: StepUpView.Grant? = nil, before action: String, cancelPath: String, at place: AdminPlace,
        context: AdminRequestContext
    ) async throws -> Response? {
        let principal = try context.principal
        let owner = try await mappingReadErrors {
            try await AccountOwner(
                principal: principal, session: context.session.token.id, successor: SecretToken().id,
                accounts: site.container.accounts, passwords: site.passwords, attemptID: site.attemptID, at: site.now()
            )
        }
        guard owner.isProofDue else { return nil }
        var proof: AccountOwner.Proof?
        if let password = context.form.value(StepUpView.field) {
            // A store that does not respond cannot count an attempt, so the server accepts none.
            proof = try await mappingReadErrors { try await owner.stepUp(password) }
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
            grant: grant ?? .application(site.name), action: action, csrf: csrf, fields: context.form, proof: proof,
            cancelPath: cancelPath)
        return try pages.page(view, title: StepUpView.title, at: place, outcome, csrf: csrf, context: context)
    }
}
