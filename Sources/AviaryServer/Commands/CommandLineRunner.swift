import ArgumentParser
import AviaryDomain
import Foundation
import Logging

/// Runs the command line and turns what ends it into an exit code: 0 done, 1 failed, 2 wrong usage.
enum CommandLineRunner {
    private static let failed: Int32 = 1
    private static let wrongUsage: Int32 = 2

    static func run<App: AviaryApp>(_ app: App.Type) async -> Never {
        // A deploy may be asked for before signals are caught, and would end the server that is just starting.
        if CommandLine.arguments.dropFirst().first == "serve" { signal(SIGHUP, SIG_IGN) }
        do {
            try CommandNames.check(own: app.commands, builtIn: RootCommand<App>.builtIn)
            var command = try RootCommand<App>.parseAsRoot()
            let serving = command as? any LoggingCommand
            if serving != nil { LogOutput.openStandardErrorAnew() }
            Logger.begin(as: serving?.role ?? .command, of: App.commandName, try serving?.logSettings ?? LogSettings())
            if serving != nil { ProcessMetrics.begin() }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            exit(report(error, of: app))
        }
    }

    private static func report<App: AviaryApp>(_ error: any Error, of app: App.Type) -> Int32 {
        if let exitCode = error as? ExitCode { return exitCode.rawValue }
        let code = RootCommand<App>.exitCode(for: error)
        let text = RootCommand<App>.fullMessage(for: error)
        if code.isSuccess {
            print(text)  // --help and --version
            return 0
        }
        if code == .validationFailure {
            Terminal.say(text)
            return wrongUsage
        }
        Terminal.say("\(App.commandName): \(error)")
        return failed
    }
}
