import ArgumentParser

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
            BackupCommand<App>.self, VerifyCommand<App>.self, RestoreCommand<App>.self,
            MigrateCommand<App>.self, RepairCommand<App>.self, UserCommand<App>.self, KeysCommand<App>.self,
            CheckCommand<App>.self,
            LoadTestCommand<App>.self,
            LoadClientCommand<App>.self, StoreProcessCommand<App>.self, WorkerProcessCommand<App>.self,
        ]
    }
}

/// The version of Aviary that a program contains.
package enum AviaryVersion {
    /// The version by the rules of Semantic Versioning. `CHANGELOG.md` begins with it, which a test checks.
    package static let current = "0.2.0"
}
