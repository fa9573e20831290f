import ArgumentParser
import AviaryDomain
import Foundation

struct UserPasswordCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "password", abstract: "Set the password of an account and sign it out everywhere.")
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var password: PasswordOption
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        let password = try password.password(names: [name.text, app.name])
        let hash = try await ScryptPasswords().hash(password)
        try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            // A first password takes nothing's place: the history tells of it.
            let event = account.passwordHash.map { _ in
                AuditEvent(.passwordSet, at: Date(), account: CommandAuthor.name, subject: account.name)
            }
            try await container.accounts.setPassword(
                hash: hash, of: account.id.uuid, noting: event, by: CommandAuthor.name)
        }
        Terminal.say("Set the password of \(name.text).")
    }
}
