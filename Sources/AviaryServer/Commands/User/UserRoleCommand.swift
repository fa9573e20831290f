import ArgumentParser
import AviaryDomain

struct UserRoleCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "role", abstract: "Give an account another role. It is signed out everywhere.")
    }

    @OptionGroup var user: UserArgument

    @Option(help: "viewer, editor, admin, or a role of the program's own.")
    var role: String

    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            try await container.accounts.setRole(role, of: account.id.uuid, by: CommandAuthor.name)
        }
        Terminal.say("\(name.text) has the role \(role) now.")
    }
}
