import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// A coordinator for the pages of the user's own account: password, second factor and sessions.
struct OwnAccountCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func show(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let model = try await mappingReadErrors {
            try await OwnAccountViewModel(owner: try await owner(context), limits: site.sessions.limits)
        }
        let news = context.query.value("done").flatMap { OwnAccountNotice(rawValue: $0) }
        return try await page(
            OwnAccountView(
                model: model, csrf: csrf(context), news: news,
                languages: site.language.form(csrf: csrf(context), returningTo: AccountPaths.own),
                next: context.query.value("next").flatMap { LocalPath($0) }
            ), title: OwnAccountView.title, context: context
        )
    }

    func endSession(_ request: Request, context: AdminRequestContext) async throws -> Response {
        guard let session = context.form.value("session") else { throw PageError.malformedForm }
        let token = SecretToken(), owner = try await owner(context, successor: token)
        if session == "others" {
            try await mappingWriteErrors {
                try await OwnAccountViewModel.endOtherSessions(of: owner, address: context.clientName)
            }
            return try await renewed(token, context) { _ in .seeOther(OwnAccountNotice.otherSessionsEnded.path) }
        }
        guard let id = UUID(canonicalText: session) else { throw PageError.malformedForm }
        try await mappingWriteErrors {
            try await OwnAccountViewModel.endSession(id, of: owner, address: context.clientName)
        }
        return .seeOther(OwnAccountNotice.sessionEnded.path)
    }

    func askPassword(_ request: Request, context: AdminRequestContext) async throws -> Response {
        try await page(PasswordViewModel(owner: try await owner(context), application: site.name), context)
    }

    func changePassword(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let token = SecretToken()
        var model = PasswordViewModel(owner: try await owner(context, successor: token), application: site.name)
        let outcome = await model.change(
            current: field("current", context), new: field("new", context), repeated: field("repeated", context)
        )
        guard outcome == .done else { return try await page(model, context, outcome) }
        return try await renewed(token, context) { _ in .seeOther(OwnAccountNotice.password.path) }
    }

    func askSecondFactor(_ request: Request, context: AdminRequestContext) async throws -> Response {
        guard let model = try setup(of: try await owner(context), context) else { return .seeOther(AccountPaths.own) }
        return try await page(model, context)
    }

    func setUpSecondFactor(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let token = SecretToken()
        guard var model = try setup(of: try await owner(context, successor: token), context) else {
            return .seeOther(AccountPaths.own)
        }
        let outcome = await model.confirm(code: field("code", context), current: field("current", context))
        guard outcome == .done else { return try await page(model, context, outcome) }
        return try await renewed(token, context) { context in
            try await codes(model.recoveryCodes, news: localized("Turned on two-factor authentication"), context)
        }
    }

    /// Shows the confirmation page before new recovery codes are created or the second factor is turned off.
    func ask(_ purpose: SecondFactorView.Purpose, context: AdminRequestContext) async throws -> Response {
        guard
            let model = SecondFactorViewModel(owner: try await owner(context), oneTimePasswords: site.oneTimePasswords)
        else {
            return .seeOther(AccountPaths.own)
        }
        return try await page(model, purpose, context)
    }

    func change(_ purpose: SecondFactorView.Purpose, context: AdminRequestContext) async throws -> Response {
        let token = SecretToken(), owner = try await owner(context, successor: token)
        guard var model = SecondFactorViewModel(owner: owner, oneTimePasswords: site.oneTimePasswords) else {
            return .seeOther(AccountPaths.own)
        }
        switch purpose {
        case .renewCodes:
            let outcome = await model.renewCodes(current: field("current", context))
            guard outcome == .done else { return try await page(model, purpose, context, outcome) }
            return try await renewed(token, context) { context in
                try await codes(
                    model.recoveryCodes, news: localized("Created new recovery codes. Your old codes no longer work."),
                    context)
            }
        case .remove:
            let outcome = await model.remove(current: field("current", context))
            guard outcome == .done else { return try await page(model, purpose, context, outcome) }
            return try await renewed(token, context) { _ in .seeOther(OwnAccountNotice.secondFactorRemoved.path) }
        }
    }

    /// Returns the answer to a change of the user's credentials, with the cookie of the successor session. A copy
    /// of the former cookie is invalid by then.
    private func renewed(
        _ token: SecretToken, _ context: AdminRequestContext, _ answer: (AdminRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.session = .begin(.signedIn(try context.principal), token: token)
        var response = try await answer(context)
        response.setCookie(site.sessions.keep(context.session))
        return response
    }

    private func setup(of owner: AccountOwner, _ context: AdminRequestContext) throws -> SecondFactorSetupViewModel? {
        try SecondFactorSetupViewModel(
            owner: owner, application: site.name, sealed: context.form.value("secret"),
            oneTimePasswords: site.oneTimePasswords
        )
    }

    /// Returns the owner of the request's account.
    ///
    /// - Parameter token: The token of the session that replaces the current one after a change of credentials.
    ///   Only the answer's cookie contains it.
    private func owner(
        _ context: AdminRequestContext, successor token: SecretToken = SecretToken()
    ) async throws -> AccountOwner {
        let principal = try context.principal
        return try await mappingReadErrors {
            try await AccountOwner(
                principal: principal, session: context.session.token.id, successor: token.id,
                accounts: site.container.accounts,
                passwords: site.passwords, attemptID: site.attemptID, at: site.now()
            )
        }
    }

    private func field(_ name: String, _ context: AdminRequestContext) -> String { context.form.value(name) ?? "" }
    private func csrf(_ context: AdminRequestContext) -> String { site.tokens.token(for: context.session) }

    private func codes(_ codes: [String], news: String, _ context: AdminRequestContext) async throws -> Response {
        try await page(RecoveryCodesView(codes: codes, news: news), title: RecoveryCodesView.title, context: context)
    }

    private func page(
        _ model: PasswordViewModel, _ context: AdminRequestContext, _ outcome: AccountOutcome = .done
    ) async throws -> Response {
        try await page(
            PasswordView(model: model, csrf: csrf(context)), title: PasswordView.title(of: model.owner), outcome,
            context: context
        )
    }

    private func page(
        _ model: SecondFactorSetupViewModel, _ context: AdminRequestContext, _ outcome: AccountOutcome = .done
    ) async throws -> Response {
        try await page(
            SecondFactorSetupView(model: model, csrf: csrf(context)), title: SecondFactorSetupView.title, outcome,
            context: context
        )
    }

    private func page(
        _ model: SecondFactorViewModel, _ purpose: SecondFactorView.Purpose, _ context: AdminRequestContext,
        _ outcome: AccountOutcome = .done
    ) async throws -> Response {
        try await page(
            SecondFactorView(model: model, purpose: purpose, csrf: csrf(context)), title: purpose.title, outcome,
            context: context
        )
    }

    private func page(
        _ view: some Component, title: String, _ outcome: AccountOutcome = .done, context: AdminRequestContext
    ) async throws -> Response {
        try pages.page(view, title: title, at: .ownAccount, outcome, csrf: csrf(context), context: context)
    }
}

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
