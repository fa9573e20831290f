import ArgumentParser
import AviaryDomain

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
        Terminal.say("\(name.text) has the role \(role) now.")
    }
}
