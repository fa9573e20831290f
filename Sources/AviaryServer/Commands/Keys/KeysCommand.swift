import ArgumentParser

/// The keys of a data directory, beside a running server or without one.
struct KeysCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "Tell and rotate the keys that seal drafts, forms' tokens and second factors.",
            discussion: """
                They are the files of the directory keys in the data directory, and in no snapshot: back them up apart, and \
                after each rotation.
                """,
            subcommands: [KeysListCommand<App>.self, KeysRotateCommand<App>.self]
        )
    }
}
