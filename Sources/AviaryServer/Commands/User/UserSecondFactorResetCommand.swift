import ArgumentParser
import AviaryDomain

struct UserSecondFactorResetCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "totp-reset", abstract: "Ask an account for no second factor any more. It is signed out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            try await container.accounts.removeSecondFactor(of: account.id.uuid, by: CommandAuthor.name)
        }
        Terminal.say("\(name.text) signs in without a second factor now.")
    }
}
