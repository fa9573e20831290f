import ArgumentParser
import AviaryDomain
import Foundation

struct UserSecondFactorResetCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "totp-reset",
            abstract: "Remove the second factor of an account and sign it out everywhere.")
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
        Terminal.say("\(name.text) signs in without a second factor now.")
    }
}
