import ArgumentParser
public import AviaryAdmin
import AviaryDomain
import Foundation
import Logging

extension AviaryApp {
    /// Runs the command line. It is the entry point of a type marked `@main`.
    public static func main() async {
        await CommandLineRunner.run(Self.self)
    }
}

struct RootCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: App.commandName,
            abstract: "The back office of \(App.name): a durable store and its web admin.",
            version: "Aviary \(AviaryVersion.current)",
            subcommands: builtIn + App.commands
        )
    }

    static var builtIn: [any ParsableCommand.Type] {
        [
            ServeCommand<App>.self, StatusCommand<App>.self, ImportCommand<App>.self, ExportCommand<App>.self,
            DeleteCommand<App>.self, UpdateCommand<App>.self, UndoCommand<App>.self, HistoryCommand<App>.self,
            BackupCommand<App>.self, VerifyCommand<App>.self, RestoreCommand<App>.self, MoveCommand<App>.self,
            MigrateCommand<App>.self, RepairCommand<App>.self, UserCommand<App>.self, KeysCommand<App>.self,
            CheckCommand<App>.self, StoreProcessCommand<App>.self, WorkerProcessCommand<App>.self,
        ]
    }
}

/// The version of Aviary that a program contains.
package enum AviaryVersion {
    /// The version, as Semantic Versioning defines it. `CHANGELOG.md` begins with it, which a test checks.
    package static let current = "0.2.0"
}

/// The entry point that runs the command line and exits with a code: 0 success, 1 failure, 2 wrong usage.
enum CommandLineRunner {
    private static let failed: Int32 = 1
    private static let wrongUsage: Int32 = 2

    static func run<App: AviaryApp>(_ app: App.Type) async -> Never {
        ProgramName.begin(path: CommandLine.arguments.first)
        // A deploy may send SIGHUP before the server handles signals, and would end the starting server.
        if CommandLine.arguments.dropFirst().first == "serve" { signal(SIGHUP, SIG_IGN) }
        var begun: (any ParsableCommand.Type)?
        do {
            var command = try parsed(for: app)
            begun = type(of: command)
            let serving = command as? any LoggingCommand
            if serving != nil { LogOutput.reopenStandardErrorNonBlocking() }
            Logger.begin(as: serving?.role ?? .command, of: App.commandName, try serving?.logSettings ?? LogSettings())
            if serving != nil { ProcessMetrics.begin() }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            exit(report(error, of: app, in: begun))
        }
    }

    /// Returns the command that the arguments name.
    ///
    /// For a process that the supervisor starts, the parser looks at that command alone: reading the declarations of all
    /// commands takes some milliseconds.
    private static func parsed<App: AviaryApp>(for app: App.Type) throws -> any ParsableCommand {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case ChildCommandName.store: return try StoreProcessCommand<App>.parse(Array(arguments.dropFirst()))
        case ChildCommandName.worker: return try WorkerProcessCommand<App>.parse(Array(arguments.dropFirst()))
        default:
            try CommandNames.check(own: app.commands, builtIn: RootCommand<App>.builtIn)
            return try RootCommand<App>.parseAsRoot()
        }
    }

    /// Prints an error and returns its exit code.
    ///
    /// - Parameter command: The command that ran, or nil if the arguments named none.
    private static func report<App: AviaryApp>(
        _ error: any Error, of app: App.Type, in command: (any ParsableCommand.Type)?
    ) -> Int32 {
        if let exitCode = error as? ExitCode { return exitCode.rawValue }
        let code = RootCommand<App>.exitCode(for: error)
        let text = RootCommand<App>.fullMessage(for: error)
        if code.isSuccess {
            print(text)  // --help and --version
            return 0
        }
        // The parser prints the usage of the right command for its own errors. For an error that a command throws
        // itself, it would print the usage of the root command.
        if let error = error as? ValidationError, let command {
            Terminal.printLine("Error: \(error.message)\nUsage: \(RootCommand<App>.usageString(for: command))")
            return wrongUsage
        }
        if code == .validationFailure {
            Terminal.printLine(text)
            return wrongUsage
        }
        Terminal.printLine("\(App.commandName): \(error)")
        return failed
    }
}

/// The check for the names of an application's own commands.
enum CommandNames {
    /// Checks that all names differ.
    ///
    /// - Throws: ``CommandNameError`` if two commands have the same name.
    static func check(own: [any ParsableCommand.Type], builtIn: [any ParsableCommand.Type]) throws(CommandNameError) {
        var taken = Set(builtIn.map { $0._commandName } + ["help"])
        for command in own {
            guard taken.insert(command._commandName).inserted else {
                throw CommandNameError(name: command._commandName)
            }
        }
    }
}

/// The error for two commands with the same name, found when an application starts.
struct CommandNameError: Error, Sendable, Hashable, CustomStringConvertible {
    let name: String

    var description: String {
        "There are two commands named \(name). Choose another commandName in the configuration of the application’s command."
    }
}
