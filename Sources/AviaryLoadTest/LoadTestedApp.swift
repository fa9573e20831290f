public import ArgumentParser
public import AviaryAdmin
@_exported public import AviaryLoad

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
