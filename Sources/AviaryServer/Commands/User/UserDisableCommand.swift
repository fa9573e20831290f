import ArgumentParser
import AviaryDomain

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
        Terminal.say("\(name.text) cannot sign in any more.")
    }
}
