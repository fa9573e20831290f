import ArgumentParser
import AviaryDomain
import Foundation

struct UserAddCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add", abstract: "Create an account.",
            discussion:
                "With --link the account has no password. The command prints a link with which its owner sets one."
        )
    }

    @OptionGroup var user: UserArgument

    @Option(help: "viewer, editor, admin, or a role of the application.")
    var role: String

    @OptionGroup var password: PasswordOption

    @Flag(help: "Print a link that sets the password once, instead of asking for a password.")
    var link = false

    @OptionGroup var address: LinkAddressOption
    @OptionGroup var location: DataOption

    func validate() throws {
        _ = try user.accountName
        if link, password.passwordStdin { throw ValidationError("Give --link or --password-stdin, not both.") }
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        guard app.roles.role(role) != nil else {
            throw ValidationError(
                "There is no role \"\(role)\". There are \(app.roles.all.map(\.name).joined(separator: ", ")).")
        }
        let password = link ? nil : try password.password(names: [name.text, app.name])
        let hash = if let password { try await ScryptPasswords().hash(password) } else { String?.none }
        let path = try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = Account(name: name.text, role: role, passwordHash: hash, createdAt: Date())
            try await container.accounts.add(account, by: CommandAuthor.name)
            return link ? try await container.makeLink(for: account, by: CommandAuthor.name) : nil
        }
        Terminal.say("Made the account \(name.text) with the role \(role).")
        if let path { address.tell(path) }
    }
}
