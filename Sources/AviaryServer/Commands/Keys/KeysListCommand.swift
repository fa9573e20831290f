import ArgumentParser
import Foundation

struct KeysListCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "Tell which keys there are, since when, and what each does.",
            discussion: "Exit code 1 when a file that should be a key cannot be read; all others are told all the same."
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
