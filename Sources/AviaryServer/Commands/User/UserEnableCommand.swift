import ArgumentParser
import AviaryDomain

struct UserEnableCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "enable", abstract: "Let a disabled account sign in again.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            try await container.accounts.setDisabled(false, of: account.id.uuid, by: CommandAuthor.name)
        }
        Terminal.say("\(name.text) can sign in again.")
    }
}
