import ArgumentParser
import AviaryDomain

struct UserDisableCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "disable", abstract: "Let an account sign in no more. It is signed out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            try await container.accounts.setDisabled(true, of: account.id.uuid, by: CommandAuthor.name)
        }
        Terminal.say("\(name.text) cannot sign in any more.")
    }
}
