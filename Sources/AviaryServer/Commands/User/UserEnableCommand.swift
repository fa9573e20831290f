import ArgumentParser
import AviaryDomain

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
        Terminal.say("\(name.text) can sign in again.")
    }
}
