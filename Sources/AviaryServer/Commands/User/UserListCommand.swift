import ArgumentParser
import AviaryDomain
import Foundation

struct UserListCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List accounts and their roles.")
    }

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @OptionGroup var location: DataOption

    private struct Line: Encodable {
        let name: String
        let role: String
        let isDisabled: Bool
        let hasPassword: Bool
        let hasSecondFactor: Bool

        init(_ account: Account) {
            name = account.name
            role = account.role
            isDisabled = account.isDisabled
            hasPassword = account.passwordHash != nil
            hasSecondFactor = account.oneTimeSecret != nil
        }

        var words: String {
            var remarks = [role]
            if isDisabled { remarks.append("disabled") }
            if !hasPassword { remarks.append("no password yet") }
            if hasSecondFactor { remarks.append("second factor") }
            return "\(name.printable)\t\(remarks.joined(separator: ", ").printable)"
        }
    }

    func run() async throws {
        let lines = try await DependencyContainer.attached(to: location.path, of: try AppDefinition(App.self)) {
            container in
            try await container.accounts.fetchAll().map(Line.init)
        }
        for line in lines { print(json ? try line.json : line.words) }
        if lines.isEmpty { Terminal.say("There are no accounts yet.") }
    }
}
