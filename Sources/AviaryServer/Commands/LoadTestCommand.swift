import ArgumentParser
import AviaryDomain
import AviaryLoad
import Foundation
import UnixSignals

struct LoadTestCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "loadtest", abstract: "Load a server as browsers do, and check that it kept its word.",
            discussion: """
                Every write is noted before it is sent, with its answer. At the end the whole list is read: what was \
                acknowledged must be there, once, and nothing else. Exit code 1 says that it is not so.

                  \(App.commandName) loadtest --self-hosted --scenario mixed --duration 60s --kill any --every 1s --report run.html
                """
        )
    }

    @Option(help: "A running server's address. Nobody else may write to it meanwhile.")
    var url: String?

    @Option(help: "The account to sign in with, with --url; needs --password-stdin.")
    var user: String?

    @Flag(help: "Read the account's password from standard input: its first line.")
    var passwordStdin = false

    @Flag(help: "Start a server for this run on an empty directory, and remove both at the end.")
    var selfHosted = false

    @Option(help: "Records to begin with, with --self-hosted.")
    var rows = 0

    @Option(help: "Web workers, with --self-hosted.")
    var workers: Int = ProcessInfo.processInfo.activeProcessorCount

    @Flag(help: "With --self-hosted: store and worker in one process; a kill then kills it and starts it again.")
    var inProcess = false

    @Option(help: "What the browsers do: add, browse or mixed.")
    var scenario: Scenario = .mixed

    @Option(help: "The model to work on, by its part of the address; the first of the admin unless given.")
    var model: String?

    @Option(help: "Actions begun a second, whether or not the server keeps up; without it each browser goes on when it is answered.")
    var rate: Double?

    @Option(help: "How many browsers act at a time.")
    var connections = 16

    @Option(help: ArgumentHelp("How long, such as 60s or 500ms.", valueName: "time"), transform: Duration.init(option:))
    var duration: Duration = .seconds(10)

    @Option(help: "Kill processes while the load goes on: worker, store or any. Needs --every.")
    var kill: KillTarget?

    @Option(help: ArgumentHelp("How often to kill.", valueName: "time"), transform: Duration.init(option:))
    var every: Duration?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a page with plots.", valueName: "file.html"))
    var report: String?

    @Flag(help: "Allow --url to name another host than this one. Only for hosts of your own.")
    var yesLoadAnotherHost = false

    func run() async throws {
        let test = try loadTest()
        let work = Task { try await test.run() }
        // Interrupted, the run still stops its server and removes its directory.
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { work.cancel() }
        }
        defer { signals.cancel() }
        let result = try await work.value
        Terminal.say(result.text)
        if json { print(try result.json()) }
        if let report { try result.writeReport(to: report, commandLine: [App.commandName] + CommandLine.arguments.dropFirst()) }
        if !result.isGood { throw ExitCode.failure }
    }

    /// What was asked for, checked.
    private func loadTest() throws -> LoadTest {
        guard (kill == nil) == (every == nil) else { throw ValidationError("--kill and --every belong together.") }
        guard selfHosted != (url != nil) else { throw ValidationError("Name a running server with --url, or start one with --self-hosted.") }
        guard selfHosted || kill == nil else {
            throw ValidationError("--kill needs --self-hosted: only processes that this run started are killed.")
        }
        guard (user != nil) == passwordStdin, user == nil || url != nil else {
            throw ValidationError("--user and --password-stdin belong together, and to --url.")
        }
        guard (0...10_000_000).contains(rows) else { throw ValidationError("--rows takes a number from 0 to 10000000.") }
        do {
            let app = try AppDefinition(App.self)
            guard let loaded = app.schema.models.first(where: { $0.slug == model }) ?? (model == nil ? app.schema.models.first : nil) else {
                throw ValidationError("There is no model at /admin/\(model ?? "").")
            }
            let plan = try LoadPlan(
                scenario: scenario, connections: connections, rate: rate, duration: duration,
                kill: kill.flatMap { target in every.map { KillPlan(target: target, interval: $0) } }, model: loaded.slug
            )
            let target: LoadTarget = if let url {
                try .running(url, credentials: try user.map { .password(user: $0, password: try CommandInput.passwordLine()) }, allowsOtherHosts: yesLoadAnotherHost)
            } else {
                .selfHosted(ServerLaunch(
                    executable: "/proc/self/exe".resolvingLink, workers: inProcess ? nil : workers, rows: rows,
                    modelName: loaded.name, titleColumn: loaded.titleProperty?.name ?? "name"
                ))
            }
            return LoadTest(plan: plan, target: target) { Terminal.say($0) }
        } catch let error as LoadPlanError {
            throw ValidationError(error.description)
        }
    }
}

extension Scenario: ExpressibleByArgument {}
extension KillTarget: ExpressibleByArgument {}

extension Duration {
    fileprivate init(option text: String) throws {
        do {
            try self.init(parsing: text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

extension String {
    /// The program itself, even when it was replaced on disk: children must not be another version.
    fileprivate var resolvingLink: String {
        FileManager.default.fileExists(atPath: self) ? self : CommandLine.arguments[0]
    }
}
