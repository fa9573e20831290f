import AccountsFeature
import ArgumentParser
import AviaryDomain
import Foundation

struct UserLinkCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "link",
            abstract: "Print a link that signs in once, for a new or lost password.",
            discussion:
                "The link is valid for a day. Anyone who has it can sign in as this user: hand it over like a password."
        )
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var address: LinkAddressOption
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        let path = try await DependencyContainer.attached(to: location.path, of: app) { container in
            let account = try await container.accounts.existing(name)
            guard !account.isDisabled else { throw DisabledAccount(name: name.text) }
            return try await container.makeLink(for: account, by: CommandAuthor.name)
        }
        address.tell(path)
    }
}

private struct DisabledAccount: Error, CustomStringConvertible {
    let name: String

    var description: String { "\(name) is disabled, so no link would sign in. Enable the account first." }
}

/// Under which address the server is reached.
struct LinkAddressOption: ParsableArguments {
    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The address that browsers use. Without it and without AVIARY_PUBLIC_URL only the path is printed.",
            valueName: "url"
        ))
    var publicURL: String?

    func tell(_ path: String) {
        let base = TextSetting(flag: "--public-url", variable: "AVIARY_PUBLIC_URL").value(publicURL)?.text ?? ""
        print((base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
    }
}

extension DependencyContainer {
    /// How long a link is good, in seconds.
    static let linkLifetime: TimeInterval = 86_400

    /// A path that signs in once as the account, or, without one, leads to the form that makes the first.
    func makeLink(for account: Account?, by author: String, lifetime: TimeInterval = linkLifetime) async throws
        -> String
    {
        let token = SecretToken()
        try await accounts.addLink(
            token.id, for: account?.id.uuid, until: Date().addingTimeInterval(lifetime), by: author
        )
        return AccountPaths.link(token.text)
    }
}
