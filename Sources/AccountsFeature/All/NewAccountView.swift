package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The view model of a new account. The account has no password, and a link lets its owner choose one.
package struct NewAccountViewModel: Sendable {
    /// The name as typed.
    package private(set) var name = ""
    package private(set) var role: String
    package private(set) var nameError: String?
    package private(set) var roleError: String?
    package private(set) var errorMessage: String?
    /// The account, once it is created.
    package private(set) var account: Account?
    /// The link that sets the account's password, once; nil if creating it failed after the account was created.
    package private(set) var link: String?

    let roles: [Role]
    private let principal: Principal
    private let accounts: AccountRepository

    /// Creates the form.
    ///
    /// - Throws: ``AccessError``.
    package init(principal: Principal, accounts: AccountRepository) throws(AccessError) {
        try principal.check(.accounts)
        self.principal = principal
        self.accounts = accounts
        roles = accounts.roles.all.filter(principal.role.covers)
        // The default is the role of a viewer, so that granting more is a deliberate choice.
        role = Role.viewer.name
    }

    /// Validates the input before the password is requested. The messages describe the problems.
    package mutating func check(name typed: String, role chosen: String) -> AccountOutcome {
        (name, role) = (typed, chosen)
        nameError = accountName == nil ? AccountName.rule + "." : nil
        let given = accounts.roles.role(chosen)
        roleError =
            given.map { principal.role.covers($0) ? nil : AccountViewModel.roleBeyondOwn }
            ?? localized("Choose a role.")
        errorMessage = nil
        return nameError == nil && roleError == nil ? .done : .refused
    }

    private var accountName: AccountName? { AccountName(name.trimmingCharacters(in: .whitespaces)) }

    /// Creates the account and its link.
    ///
    /// - Parameter makeLink: A closure that returns the path of a new link that sets the account's password.
    package mutating func make(
        name typed: String, role chosen: String, at now: Date, makeLink: (Account) async throws -> String
    ) async -> AccountOutcome {
        guard check(name: typed, role: chosen) == .done, let accountName else { return .refused }
        let account = Account(name: accountName.text, role: chosen, passwordHash: nil, createdAt: now)
        do {
            try await accounts.add(account, by: principal.name)
            self.account = account
            // The account exists even if creating the link fails. Its page can create another link.
            link = try? await makeLink(account)
            return .done
        } catch AccountError.nameTaken(let name) {
            nameError = AccountError.nameTaken(name).description
            return .conflict
        } catch {
            let (outcome, message) = AccountOutcome.explaining(error)
            errorMessage = message
            return outcome
        }
    }
}

/// The form for a new account.
package struct NewAccountView: Component {
    let model: NewAccountViewModel
    let csrf: String

    package init(model: NewAccountViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static var title: String { localized("Add account") }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: Self.title,
                text: [localized("You get a one-time link to share. The new person chooses a password with the link.")],
                notices: model.errorMessage.map { [Notice(.failure, $0)] } ?? [], action: AccountPaths.all, csrf: csrf,
                fields: [
                    Field(
                        name: "name", label: localized("Name"), control: .text(value: model.name, maxLength: nil),
                        help: model.nameError == nil ? AccountName.rule + "." : nil,
                        error: model.nameError, isRequired: true
                    ),
                    Field(
                        name: "role", label: localized("Role"),
                        control: .select(options: Option.roles(model.roles), selected: model.role, prompt: nil),
                        help: localized(
                            "Viewers see records, editors also change them, admins also manage accounts."),
                        error: model.roleError
                    ),
                ],
                submitTitle: localized("Add account"),
                alternative: (title: localized("Cancel"), href: AccountPaths.all)
            ))
    }
}

extension Option {
    static func roles(_ roles: [Role]) -> [Option] { roles.map { Option(value: $0.name, label: $0.name.roleTitle) } }
}

extension String {
    /// The title of the role with the name, as pages show it.
    var roleTitle: String { TextFormatter.capitalized(translated) }
}
