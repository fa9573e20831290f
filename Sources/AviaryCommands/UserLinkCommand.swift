import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

struct UserLinkCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "link",
            abstract: "Print a link that sets a new or lost password once.",
            discussion:
                "The link is valid for a day. Two-factor authentication still applies; totp-reset removes it when its device is lost. Anyone who has the link can set the password: treat it like a password."
        )
    }

    @OptionGroup var user: UserArgument
    @OptionGroup var address: LinkAddressOption
    @OptionGroup var location: DataOption

    func validate() throws { _ = try user.accountName }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let name = try user.accountName
        let path = try await DependencyContainer.attached(to: try location.store, of: app) { container in
            let account = try await container.accounts.existing(name)
            guard !account.isDisabled else { throw DisabledAccount(name: name.text) }
            return try await container.makeLink(for: account, by: CommandAuthor.name)
        }
        address.printLink(path)
    }
}

private struct DisabledAccount: Error, CustomStringConvertible {
    let name: String

    var description: String { "\(name) is disabled. Enable the account before you create a link." }
}

/// The option for the address that browsers use to reach the server.
struct LinkAddressOption: ParsableArguments {
    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The address that browsers use. Without it and without AVIARY_PUBLIC_URL only the path is printed.",
            valueName: "url"
        ))
    var publicURL: String?

    func printLink(_ path: String) {
        let base = TextSetting(flag: "--public-url", variable: "AVIARY_PUBLIC_URL").value(publicURL)?.text ?? ""
        print((base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
    }
}
