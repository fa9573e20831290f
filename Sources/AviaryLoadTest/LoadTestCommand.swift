public import ArgumentParser
public import AviaryAdmin
import AviaryCommands
import AviaryDomain
@_exported public import AviaryLoad
import Foundation
import UnixSignals

struct LoadTestCommand<App: LoadTestedApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "loadtest", abstract: "Load a server as browsers do, and verify what it stored.",
            discussion: """
                Actions start at a steady rate, independent of the server's speed, and latency counts from the planned start. \
                With --connections and without --rate, each browser continues when it is answered. Every write is logged before \
                it is sent, and again with its answer. At the end the whole list is read: each acknowledged write must be there \
                once, and nothing else. The exit code is 1 otherwise.

                  \(App.commandName) loadtest --self-hosted --scenario mixed --duration 60s --kill any --every 1s --report run.html
                """
        )
    }

    @OptionGroup(title: "WHAT IS LOADED") var target: LoadTargetOptions
    @OptionGroup(title: "HOW IT IS LOADED") var load: LoadOptions
    @OptionGroup(title: "WHAT HAPPENS MEANWHILE") var chaos: LoadChaosOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a page with plots.", valueName: "file.html"))
    var report: String?

    func validate() throws {
        try target.validate()
        try chaos.validate()
        guard target.selfHosted || !chaos.needsOwnServer else {
            throw ValidationError(
                "--kill and --restore need --self-hosted: a run only kills and restores what it started itself.")
        }
        do {
            if let report { try LoadResult.checkReport(at: report) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        let line = ProgressLine(writesToOutput: false)
        let test = try loadTest { progress in
            switch progress {
            case .message(let text):
                line.clear()
                Terminal.printLine(text)
            case .live(let figures): line.show(figures.text)
            }
        }
        let work = Task { try await test.run() }
        // An interrupted run still stops its server and removes its directory.
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { work.cancel() }
        }
        defer { signals.cancel() }
        let result = try await work.value
        line.clear()
        Terminal.printLine(result.text)
        if json { print(LogText.escaped(json: try result.json())) }
        if let report {
            try result.writeReport(to: report, commandLine: [App.commandName] + CommandLine.arguments.dropFirst())
        }
        if !result.isGood { throw ExitCode.failure }
    }

    /// Creates the load test from the checked options.
    private func loadTest(progress: @escaping @Sendable (LoadProgress) -> Void) throws -> LoadTest {
        do {
            let app = try AppDefinition(App.self)
            let scenario = try load.scenario(among: LoadScenario.builtIn + App.loadScenarios)
            guard
                let model = app.schema.models.first(where: { $0.slug == load.model })
                    ?? (load.model == nil ? app.schema.models.first : nil)
            else {
                throw ValidationError("There is no model at /admin/\(load.model ?? "").")
            }
            let plan = try load.plan(scenario, chaos: chaos, model: model.slug)
            return LoadTest(
                plan: plan, target: try target.target(of: model), executable: LoadTargetOptions.program,
                progress: progress)
        } catch let error as LoadPlanError {
            throw ValidationError(error.description)
        }
    }
}

/// An additional client process of a load test.
struct LoadClientCommand<App: LoadTestedApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: ClientProcess.commandName, shouldDisplay: false)
    }

    func run() async throws {
        try await ClientProcess.run(
            scenarios: App.loadScenarios, read: { try FileHandle.standardInput.readToEnd() ?? Data() },
            write: { try FileHandle.standardOutput.write(contentsOf: $0) }
        )
    }
}

/// The options for the load: the actions, their rate and their duration.
struct LoadOptions: ParsableArguments {
    @Option(help: "The actions: browse, edit, add, delete-undo, mixed, conflict, or a scenario of the application.")
    var scenario = LoadScenario.mixed.name

    @Option(
        help: ArgumentHelp("Weights of the scenario's actions, such as add=30,browse=70.", valueName: "action=weight,…")
    )
    var mix: String?

    @Option(help: "The model to use, as in addresses; the first of the admin by default.")
    var model: String?

    @Option(help: "Actions per second, independent of the server's speed; 50 unless --connections is given alone.")
    var rate: Double?

    @Option(
        help: "The number of concurrent browsers: 64 with a rate. Without a rate each acts as soon as it is answered.")
    var connections: Int?

    @Option(
        help: ArgumentHelp(
            "The length of the measurement, or of each step with --find-limit, such as 60s or 500ms.", valueName: "time"
        ),
        transform: Duration.init(option:))
    var duration: Duration = .seconds(10)

    @Option(
        help: ArgumentHelp(
            "The length of the load before the measurement, a tenth of it by default.", valueName: "time"),
        transform: Duration.init(option:))
    var warmUp: Duration?

    @Option(
        help: ArgumentHelp("The number of client processes, as many as the warm-up needs by default.", valueName: "n"))
    var processes: Int?

    @Flag(help: "Raise the rate until the server exceeds a limit.")
    var findLimit = false

    @Option(
        help: ArgumentHelp(
            "With --find-limit: the limit of p99 latency, 250ms by default.", valueName: "time"),
        transform: Duration.init(option:))
    var limitP99: Duration?

    @Option(
        help: ArgumentHelp(
            "With --find-limit: the limit of the share of failed requests, 0.01 by default.", valueName: "share"))
    var limitErrors: Double?

    private static let usualRate = 50.0, usualConnections = 64, usualBound = Duration.milliseconds(250),
        usualErrors = 0.01

    func scenario(among scenarios: [LoadScenario]) throws -> LoadScenario {
        guard let found = scenarios.first(where: { $0.name == scenario }) else {
            throw ValidationError(
                "Unknown scenario \(scenario). Available: \(scenarios.map(\.name).joined(separator: ", ")).")
        }
        return try mix.map { try found.weighted($0) } ?? found
    }

    func plan(_ scenario: LoadScenario, chaos: LoadChaosOptions, model: String) throws -> LoadPlan {
        guard findLimit || limitP99 == nil && limitErrors == nil else {
            throw ValidationError("--limit-p99 and --limit-errors need --find-limit.")
        }
        let isClosed = rate == nil && connections != nil && !findLimit
        return try LoadPlan(
            scenario: scenario, connections: connections ?? Self.usualConnections,
            rate: isClosed ? nil : rate ?? Self.usualRate,
            duration: duration, warmUp: warmUp ?? duration / 10, kill: chaos.plan, outage: chaos.outage,
            restores: chaos.restore,
            limit: findLimit
                ? try LimitPlan(p99: limitP99 ?? Self.usualBound, errorShare: limitErrors ?? Self.usualErrors) : nil,
            processes: processes, model: model
        )
    }
}

/// The options for the server under load and the account to use.
struct LoadTargetOptions: ParsableArguments {
    @Option(help: "The address of a running server. Nobody else may write to it during the run.")
    var url: String?

    @Option(help: "The account to sign in with, with --url. The command asks for its password.")
    var user: String?

    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Flag(help: "Start a server on an empty directory and remove both at the end.")
    var selfHosted = false

    @Option(help: "The number of initial records, with --self-hosted.")
    var rows = 0

    @Option(help: "The number of web workers, with --self-hosted; one for each processor by default.")
    var workers: Int?

    @Flag(help: "With --self-hosted: run store and worker in one process, which a kill restarts.")
    var inProcess = false

    @Flag(help: "Permit a --url on another host, which must be your own.")
    var yesLoadAnotherHost = false

    func validate() throws {
        guard selfHosted != (url != nil) else {
            throw ValidationError("Add --url for a running server, or --self-hosted to start one.")
        }
        guard user == nil || url != nil else {
            throw ValidationError("--user needs --url. A self-hosted server creates its own account.")
        }
        guard !passwordStdin || user != nil else { throw ValidationError("--password-stdin needs --user.") }
        guard (0...10_000_000).contains(rows) else {
            throw ValidationError("--rows takes a number from 0 to 10000000.")
        }
        guard !inProcess || workers == nil else {
            throw ValidationError("--in-process has one worker. Remove --workers or --in-process.")
        }
        if let workers, !WorkerCount.range.contains(workers) {
            throw ValidationError(
                "--workers takes a number from \(WorkerCount.range.lowerBound) to \(WorkerCount.range.upperBound).")
        }
    }

    func target(of model: ModelSchema) throws -> LoadTarget {
        guard let url else {
            return .selfHosted(
                ServerLaunch(
                    executable: Self.program, workers: inProcess ? nil : workers ?? WorkerCount.usual, rows: rows,
                    modelName: model.name,
                    titleColumn: model.titleProperty?.name ?? "name", durability: DependencyContainer.durability
                ))
        }
        // The address is checked first, so that the command does not ask for a password in vain.
        _ = try LoadTarget.running(url, allowsOtherHosts: yesLoadAnotherHost)
        let credentials = try user.map { user in
            Credentials.password(
                user: user,
                password: try passwordStdin ? CommandInput.passwordLine() : TerminalSecret.ask("Password of \(user)"))
        }
        return try .running(url, credentials: credentials, allowsOtherHosts: yesLoadAnotherHost)
    }

    /// The path of the running program, even if its file was replaced on disk. Child processes must have the same
    /// version.
    static var program: String {
        FileManager.default.fileExists(atPath: "/proc/self/exe") ? "/proc/self/exe" : CommandLine.arguments[0]
    }
}

/// The options for the faults that the run causes during the load.
struct LoadChaosOptions: ParsableArguments {
    @Option(help: "Kill processes during the load: worker, store, or any of them. Needs --every.")
    var kill: KillTarget?

    @Option(help: ArgumentHelp("The interval of kills.", valueName: "time"), transform: Duration.init(option:))
    var every: Duration?

    @Option(
        help: ArgumentHelp(
            "Expect outages of up to this time, such as a failover: repeat requests that get no answer. 30s with --kill.",
            valueName: "time"),
        transform: Duration.init(option:))
    var outage: Duration?

    @Flag(help: "Take a backup during the load, restore it at the end and compare.")
    var restore = false

    var needsOwnServer: Bool { kill != nil || restore }

    func validate() throws {
        guard (kill == nil) == (every == nil) else { throw ValidationError("--kill and --every need each other.") }
    }

    var plan: KillPlan? {
        kill.flatMap { target in every.map { KillPlan(target: target, interval: $0) } }
    }
}

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

/// An application whose program has the command `loadtest`.
///
/// The command loads a server as browsers do and verifies what the server stored. An application gets it by this
/// protocol in place of `AviaryApp`:
///
/// ```swift
/// import Aviary
/// import AviaryLoadTest
///
/// @main
/// struct Zoo: LoadTestedApp {
///     var admin: some Admin {
///         ModelAdmin(Animal.self)
///     }
/// }
/// ```
///
/// `swift run zoo loadtest --self-hosted` then loads a server of its own. An application that declares commands adds
/// ``loadTestCommands`` to them.
public protocol LoadTestedApp: AviaryApp {
    /// The scenarios that `loadtest --scenario` offers in addition to the built-in ones; none by default.
    ///
    /// ```swift
    /// static var loadScenarios: [LoadScenario] {
    ///     let overview = LoadAction("overview") { _ = try await $0.get("/admin", step: "page") }
    ///     return [LoadScenario("morning", [.browse: 8, .edit: 1, overview: 1])]
    /// }
    /// ```
    static var loadScenarios: [LoadScenario] { get }
}

extension LoadTestedApp {
    public static var loadScenarios: [LoadScenario] { [] }

    /// The application's own commands, which are ``loadTestCommands`` by default.
    public static var commands: [any ParsableCommand.Type] { loadTestCommands }

    /// The command `loadtest`, and the hidden command with which it starts further client processes.
    ///
    /// ```swift
    /// static var commands: [any ParsableCommand.Type] { [FeedCommand.self] + loadTestCommands }
    /// ```
    public static var loadTestCommands: [any ParsableCommand.Type] {
        [LoadTestCommand<Self>.self, LoadClientCommand<Self>.self]
    }
}
