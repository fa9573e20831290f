import ArgumentParser
import Foundation

struct KeysListCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the keys with their age and use.",
            discussion: "The exit code is 1 when a key file cannot be read; the others are listed anyway."
        )
    }

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        try location.checkExists()
        let reports = try KeyReport.all(in: KeyFiles(directory: location.path + "/keys"), at: Date())
        if json {
            print(try reports.json)
        } else {
            for report in reports { print(report.text) }
            if reports.isEmpty { Terminal.say("There are no keys yet. The first one is made when a server starts.") }
        }
        if reports.contains(where: { $0.use == .damaged }) { throw ExitCode.failure }
    }
}
