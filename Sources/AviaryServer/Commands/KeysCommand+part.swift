import ArgumentParser

/// The keys of a data directory, beside a running server or without one.
struct KeysCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "List and rotate the keys that seal drafts, form tokens and second factors.",
            discussion: """
                The keys are the files of the directory keys in the data directory. They are not in snapshots: back them up \
                separately, and again after each rotation.
                """,
            subcommands: [KeysListCommand<App>.self, KeysRotateCommand<App>.self]
        )
    }
}
