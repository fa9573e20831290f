import ArgumentParser
import AviaryDomain
import Foundation

/// The accounts of a data directory: through the server that runs on it, else as the owner of its store.
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

/// Which account.
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
    /// - Returns: Its name.
    /// - Throws: ``AccountError``; `DataDirectoryError`; what is wrong with the store's file.
    func change<App: AviaryApp>(
        in location: DataOption, of app: App.Type, _ change: (AccountRepository, UUID) async throws -> Void
    ) async throws -> AccountName {
        let app = try AppDefinition(app), name = try accountName
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            try await change(container.accounts, try await container.accounts.existing(name).id.uuid)
        }
        return name
    }
}

/// Where a new password comes from.
struct PasswordOption: ParsableArguments {
    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    /// - Throws: ``PasswordRefusal`` for one that will not do.
    func password(names: [String]) throws -> String {
        let password = passwordStdin ? try CommandInput.passwordLine() : try TerminalSecret.askTwice("Password")
        if let problem = PasswordRules(names: names).problem(with: password) { throw PasswordRefusal(problem: problem) }
        return password
    }
}

struct PasswordRefusal: Error, CustomStringConvertible {
    let problem: PasswordProblem

    var description: String { "The password was not taken. " + problem.text }
}
