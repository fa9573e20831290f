import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command for the accounts of a data directory. It works through the server that runs on the directory, or
/// else as the owner of its store.
struct UserCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "user", abstract: "Create and change accounts.",
            discussion: """
                Works with or without a running server, which applies each change at once. A password is asked for on the \
                terminal without being shown, or read from standard input with --password-stdin; it is never an argument.
                """,
            subcommands: [
                UserListCommand<App>.self, UserAddCommand<App>.self, UserPasswordCommand<App>.self,
                UserLinkCommand<App>.self,
                UserRoleCommand<App>.self, UserDisableCommand<App>.self, UserEnableCommand<App>.self,
                UserSecondFactorResetCommand<App>.self,
            ]
        )
    }
}

/// The argument that names an account.
struct UserArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The account's name.", valueName: "name"))
    var name: String

    var accountName: AccountName {
        get throws {
            guard let name = AccountName(name) else { throw ValidationError(AccountName.rule + ".") }
            return name
        }
    }

    /// Changes the account in the store of a data directory, through the server that runs on it if there is one.
    ///
    /// - Returns: The name of the account.
    /// - Throws: ``AccountError``; `DataDirectoryError`; an error that describes a problem with the store's file.
    func change<App: AviaryApp>(
        in location: DataOption, of app: App.Type, _ change: (AccountRepository, UUID) async throws -> Void
    ) async throws -> AccountName {
        let app = try AppDefinition(app), name = try accountName
        try await DependencyContainer.attached(to: try location.store, of: app) { container in
            try await change(container.accounts, try await container.accounts.existing(name).id.uuid)
        }
        return name
    }
}

/// The source of a new password.
struct PasswordOption: ParsableArguments {
    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    /// Returns the password from standard input or from the terminal.
    ///
    /// - Throws: ``PasswordInputError`` for a password that the rules reject.
    func password(names: [String]) throws -> String {
        let password = passwordStdin ? try CommandInput.passwordLine() : try TerminalSecret.promptTwice("Password")
        if let problem = PasswordRules(names: names).problem(with: password) {
            throw PasswordInputError(problem: problem)
        }
        return password
    }
}

struct PasswordInputError: Error, CustomStringConvertible {
    let problem: PasswordProblem

    var description: String { "The password was not accepted. " + problem.text }
}

struct UserAddCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add", abstract: "Create an account.",
            discussion:
                "With --link the account has no password. The command prints a link with which its owner sets one."
        )
    }

    @OptionGroup var user: UserArgument

    @Option(help: "viewer, editor, admin, or a role of the application.")
    var role: String

    @OptionGroup var password: PasswordOption

    @Flag(help: "Print a link that sets the password once, instead of asking for a password.")
    var link = false

    @OptionGroup var address: LinkAddressOption
    @OptionGroup var location: DataOption

    func validate() throws {
        _ = try user.accountName
        if link, password.passwordStdin { throw ValidationError("Use --link or --password-stdin, not both.") }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        guard app.roles.role(role) != nil else {
            throw ValidationError(
                "There is no role \"\(role)\". There are \(app.roles.all.map(\.name).joined(separator: ", ")).")
        }
        let password = link ? nil : try password.password(names: [name.text, app.name])
        let hash = if let password { try await ScryptPasswords().hash(password) } else { String?.none }
        let path = try await DependencyContainer.attached(to: try location.store, of: app) { container in
            let account = Account(name: name.text, role: role, passwordHash: hash, createdAt: Date())
            try await container.accounts.add(account, by: CommandAuthor.name)
            return link ? try await container.makeLink(for: account, by: CommandAuthor.name) : nil
        }
        Terminal.printLine("Created the account \(name.text) with the role \(role).")
        if let path { address.printLink(path) }
    }
}

struct UserListCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List accounts and their roles.")
    }

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @OptionGroup var location: DataOption

    private struct Line: Encodable {
        let name: String
        let role: String
        let isDisabled: Bool
        let hasPassword: Bool
        let hasSecondFactor: Bool

        init(_ account: Account) {
            name = account.name
            role = account.role
            isDisabled = account.isDisabled
            hasPassword = account.passwordHash != nil
            hasSecondFactor = account.oneTimeSecret != nil
        }

        var words: String {
            var remarks = [role]
            if isDisabled { remarks.append("disabled") }
            if !hasPassword { remarks.append("no password yet") }
            if hasSecondFactor { remarks.append("second factor") }
            return "\(name.printable)\t\(remarks.joined(separator: ", ").printable)"
        }
    }

    func run() async throws {
        let lines = try await DependencyContainer.attached(to: try location.store, of: try AppDefinition(App.self)) {
            container in
            try await container.accounts.fetchAll().map(Line.init)
        }
        for line in lines { print(json ? try line.json : line.words) }
        if lines.isEmpty { Terminal.printLine("There are no accounts yet.") }
    }
}

struct UserPasswordCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "password", abstract: "Set the password of an account and sign it out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var password: PasswordOption
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        let password = try password.password(names: [name.text, app.name])
        let hash = try await ScryptPasswords().hash(password)
        try await DependencyContainer.attached(to: try location.store, of: app) { container in
            let account = try await container.accounts.existing(name)
            // A first password replaces nothing. The history records it, so it needs no event.
            let event = account.passwordHash.map { _ in
                AuditEvent(.passwordSet, at: Date(), account: CommandAuthor.name, subject: account.name)
            }
            try await container.accounts.setPassword(
                hash: hash, of: account.id.uuid, noting: event, by: CommandAuthor.name)
        }
        Terminal.printLine("Set the password of \(name.text).")
    }
}

struct UserRoleCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "role", abstract: "Change the role of an account and sign it out everywhere.")
    }

    @OptionGroup var user: UserArgument

    @Option(help: "viewer, editor, admin, or a role of the application.")
    var role: String

    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let name = try await user.change(in: location, of: App.self) { accounts, account in
            try await accounts.setRole(role, of: account, by: CommandAuthor.name)
        }
        Terminal.printLine("\(name.text) has the role \(role) now.")
    }
}

struct UserDisableCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "disable", abstract: "Disable an account and sign it out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let name = try await user.change(in: location, of: App.self) { accounts, account in
            try await accounts.setDisabled(true, of: account, by: CommandAuthor.name)
        }
        Terminal.printLine("\(name.text) can no longer sign in.")
    }
}

struct UserEnableCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "enable", abstract: "Enable a disabled account.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let name = try await user.change(in: location, of: App.self) { accounts, account in
            try await accounts.setDisabled(false, of: account, by: CommandAuthor.name)
        }
        Terminal.printLine("\(name.text) can sign in again.")
    }
}

struct UserSecondFactorResetCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "totp-reset",
            abstract: "Remove the two-factor authentication of an account and sign it out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let name = try await user.change(in: location, of: App.self) { accounts, account in
            let event = AuditEvent(
                .secondFactorReset, at: Date(), account: CommandAuthor.name, subject: try user.accountName.text)
            try await accounts.removeSecondFactor(of: account, noting: event, by: CommandAuthor.name)
        }
        Terminal.printLine("\(name.text) now signs in without two-factor authentication.")
    }
}
