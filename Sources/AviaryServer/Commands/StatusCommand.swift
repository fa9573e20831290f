import ArgumentParser
import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation

struct StatusCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status", abstract: "Report the processes of a data directory and the state of its store.",
            discussion: """
                The exit code is 0 when the directory is served and the store answers. It is 1 when nothing serves the directory, \
                the store does not answer, its file is damaged, the server's backups fail or are late, or its check of the \
                data found a difference.
                """
        )
    }

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        guard FileManager.default.fileExists(atPath: location.path) else { throw nothingServes() }
        let directory = try ServedDirectory(path: location.path)
        guard let processes = directory.statusFile.read() else {
            throw nothingServes()
        }
        // The store may be away: then its processes are still worth telling.
        let store = try? await StoreClient(path: directory.socketPath, patience: .seconds(1)).status()
        let report = StatusReport(processes: processes, store: store, directory: directory)
        if json {
            print(try report.json)
        } else {
            print(report.text)
        }
        if report.isAlarming { throw ExitCode.failure }
    }

    private func nothingServes() -> ExitCode {
        Terminal.say("Nothing serves \(location.path). Start it with: \(App.commandName) serve --data \(location.path)")
        return .failure
    }
}
