import ArgumentParser
import AviaryDomain

struct UserRoleCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "role", abstract: "Give an account another role. It is signed out everywhere.")
    }

    @OptionGroup var user: UserArgument

    @Option(help: "viewer, editor, admin, or a role of the program's own.")
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
