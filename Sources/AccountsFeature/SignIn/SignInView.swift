package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The form for signing in or for the one-time password.
package struct SignInView: Component {
    let model: SignInViewModel
    let application: String
    let csrf: String

    package init(model: SignInViewModel, application: String, csrf: String) {
        self.model = model
        self.application = application
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(model.ticket == nil ? password : code)
    }

    private var next: [(String, String)] { model.next.map { [("next", $0.text)] } ?? [] }
    private var notices: [Notice] { model.errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    private var password: FormCard {
        FormCard(
            title: localized("Sign in to \(application)"), notices: notices, action: AccountPaths.signIn, csrf: csrf,
            hidden: next,
            fields: [
                Field(
                    name: "username", label: localized("Name"), control: .accountName(value: model.name),
                    isRequired: true),
                Field(name: "password", label: localized("Password"), control: .password(.current), isRequired: true),
            ],
            submitTitle: localized("Sign in")
        )
    }

    private var code: FormCard {
        FormCard(
            title: localized("Two-factor authentication"),
            text: [localized("Enter the code that your authenticator app shows for \(application).")],
            notices: notices, action: AccountPaths.signIn, csrf: csrf,
            hidden: next + [("ticket", model.ticket ?? "")],
            fields: [
                Field(
                    name: "code", label: localized("Code"), control: .oneTimeCode,
                    help: localized("Six digits. Without your phone, enter a recovery code."),
                    isRequired: true
                )
            ],
            submitTitle: localized("Sign in"),
            alternative: (title: localized("Start over"), href: AccountPaths.signIn(returningTo: model.next))
        )
    }
}

/// The view model of a sign-in link. Its holder chooses the password of the link's account or, in a new store,
/// creates the first admin.
package struct LinkViewModel: Sendable {
    /// The outcome of the form.
    package enum Outcome: Sendable, Hashable {
        case signedIn(Principal)
        /// The password is set. A code of the second factor is required, as at every sign-in.
        case needsCode(SignInTicket)
        /// The input is invalid. The messages describe the problems.
        case refused
    }

    package let link: SignInLink
    /// The account whose password the link sets; nil if the first account is still to be created.
    package let account: Account?
    /// The name as typed.
    package private(set) var name = ""
    package private(set) var nameError: String?
    package private(set) var passwordError: String?
    package private(set) var errorMessage: String?

    private let accounts: AccountRepository
    private let passwords: any PasswordHashing
    private let application: String

    /// Reads the link and its account.
    ///
    /// - Parameter application: The name of the application. It adds little to the strength of a password, because
    ///   an attacker would guess it first.
    /// - Throws: ``AccountError/linkSpent`` for a link that was used or has expired; `ReadError`.
    package init(
        id: UUID, accounts: AccountRepository, passwords: any PasswordHashing, application: String, at now: Date
    ) async throws {
        guard let (link, account) = try await accounts.link(id, at: now) else { throw AccountError.linkSpent }
        self.link = link
        self.account = account
        self.accounts = accounts
        self.passwords = passwords
        self.application = application
    }

    package mutating func addMessage(_ message: String) {
        errorMessage = message
    }

    /// Sets the password of the link's account, and signs in if the account has no second factor.
    ///
    /// - Throws: ``AccountError``, `StoreError`, ``PasswordHashingError``.
    package mutating func choose(
        password: String, repeated: String, visitor: ClientInfo, at now: Date
    ) async throws -> Outcome {
        guard let account else { throw AccountError.linkSpent }
        guard check(password, repeated, names: [account.name, application]) else { return .refused }
        let changed = try await accounts.setPassword(
            hash: try await passwords.hash(password), of: account, by: link, for: visitor, at: now)
        guard changed.oneTimeSecret == nil else {
            return .needsCode(
                SignInTicket(
                    account: changed.id.uuid, epoch: changed.epoch,
                    expiresAt: now.addingTimeInterval(SignInTicket.lifetime)))
        }
        guard let principal = accounts.principal(of: changed) else { throw AccountError.linkSpent }
        return .signedIn(principal)
    }

    /// Creates the first account, an admin, and signs in.
    ///
    /// - Throws: ``AccountError``, `StoreError`, ``PasswordHashingError``.
    package mutating func makeAdmin(
        name typed: String, password: String, repeated: String, visitor: ClientInfo, at now: Date
    ) async throws -> Outcome {
        name = typed
        let accountName = AccountName(typed.trimmingCharacters(in: .whitespaces))
        nameError = accountName == nil ? AccountName.rule + "." : nil
        guard check(password, repeated, names: [typed, application]), let accountName else { return .refused }
        let account = Account(
            name: accountName.text, role: Role.admin.name, passwordHash: try await passwords.hash(password),
            createdAt: now
        )
        guard let principal = accounts.principal(of: account) else { return .refused }
        try await accounts.addFirst(
            account, by: link, beginning: visitor.session(of: account, at: now), replacing: visitor.old, at: now)
        return .signedIn(principal)
    }

    private mutating func check(_ password: String, _ repeated: String, names: [String]) -> Bool {
        passwordError =
            PasswordRules(names: names).problem(with: password)?.text
            ?? (password == repeated ? nil : localized("The passwords don’t match."))
        return passwordError == nil
    }
}

/// The form that a link opens. Opening it changes nothing until the form is submitted.
package struct LinkView: Component {
    let model: LinkViewModel
    let application: String
    let token: String
    let csrf: String

    package init(model: LinkViewModel, application: String, token: String, csrf: String) {
        self.model = model
        self.application = application
        self.token = token
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(model.account.map(password) ?? firstAdmin)
    }

    private var notices: [Notice] { model.errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    private func password(_ account: Account) -> FormCard {
        FormCard(
            title: localized("Choose a password"),
            text: [localized("Choose a password for the account “\(account.name)”. This link works only once.")]
                + (account.oneTimeSecret == nil
                    ? [] : [localized("Two-factor authentication then asks for a code, as at every sign-in.")]),
            notices: notices, action: AccountPaths.signIn, csrf: csrf, hidden: [("link", token)],
            fields: [
                Field(
                    name: "username", label: localized("Name"),
                    control: .accountName(value: account.name, isFixed: true))
            ] + passwordFields,
            submitTitle: localized("Save password")
        )
    }

    private var passwordFields: [Field] {
        [
            Field(
                name: "password", label: localized("Password"), control: .password(.new),
                help: model.passwordError == nil ? PasswordRules.help : nil,
                error: model.passwordError, isRequired: true
            ),
            Field(name: "repeated", label: localized("Repeat password"), control: .password(.new), isRequired: true),
        ]
    }

    private var firstAdmin: FormCard {
        FormCard(
            title: localized("Welcome to \(application)"),
            text: [
                localized(
                    "Create the first account. It can do everything, including adding other accounts."
                )
            ],
            notices: notices, action: AccountPaths.signIn, csrf: csrf, hidden: [("link", token)],
            fields: [
                Field(
                    name: "username", label: localized("Name"), control: .accountName(value: model.name),
                    help: model.nameError == nil ? AccountName.rule + "." : nil,
                    error: model.nameError, isRequired: true
                )
            ] + passwordFields,
            submitTitle: localized("Create account")
        )
    }
}
