import ArgumentParser
import AviaryDomain
import AviaryLoad
import Foundation
import UnixSignals

struct LoadTestCommand<App: AviaryApp>: AsyncParsableCommand {
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
        guard target.selfHosted || !chaos.isAny else {
            throw ValidationError(
                "--kill and --restore need --self-hosted: only what this run started is killed and restored.")
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
                Terminal.say(text)
            case .live(let figures): line.show(figures.text)
            }
        }
        let work = Task { try await test.run() }
        // Interrupted, the run still stops its server and removes its directory.
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { work.cancel() }
        }
        defer { signals.cancel() }
        let result = try await work.value
        line.clear()
        Terminal.say(result.text)
        if json { print(LogText.escaped(json: try result.json())) }
        if let report {
            try result.writeReport(to: report, commandLine: [App.commandName] + CommandLine.arguments.dropFirst())
        }
        if !result.isGood { throw ExitCode.failure }
    }

    /// What was asked for, checked.
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
            let plan = try load.plan(scenario, kill: chaos.plan, restores: chaos.restore, model: model.slug)
            return LoadTest(
                plan: plan, target: try target.target(of: model), executable: LoadTargetOptions.program,
                progress: progress)
        } catch let error as LoadPlanError {
            throw ValidationError(error.description)
        }
    }
}

/// A further client process of a load test.
struct LoadClientCommand<App: AviaryApp>: AsyncParsableCommand {
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
