public import ArgumentParser
public import AviaryDomain
public import AviaryLoad
public import AviaryLocalization

/// An application: models, their admin, and the command line that serves them.
///
/// ```swift
/// @main
/// struct Zoo: AviaryApp {
///     var admin: some Admin {
///         ModelAdmin(Animal.self).columns(\.name, \.diet, \.category)
///         ModelAdmin(AnimalCategory.self)
///     }
/// }
/// ```
///
/// `swift run zoo serve` then serves the admin; `zoo --help` tells what else there is.
public protocol AviaryApp: Sendable {
    associatedtype Body: Admin

    init()

    /// The models and how the admin shows them, in the order of the navigation.
    @AdminBuilder var admin: Body { get }

    /// How a store of an older version of the models gets to the newest. None unless declared: what needs no decision is
    /// found by comparing.
    var migrationPlan: (any SchemaMigrationPlan.Type)? { get }

    /// What the store remembers of changes, for undo and for those who ask who did what. A year and 1 GiB of all
    /// models unless declared.
    var history: HistoryPolicy { get }

    /// Roles of the application's own, beside viewer, editor and admin. None unless declared.
    ///
    /// ```swift
    /// var roles: [Role] {
    ///     [Role("keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self))]
    /// }
    /// ```
    var roles: [Role] { get }

    /// Routes of the application's own, beside the admin's. None unless declared.
    @RouteBuilder var routes: [Route] { get }

    /// What happens before and after a record is saved. Nothing unless declared.
    @SaveHookBuilder var saveHooks: [SaveHook] { get }

    /// The languages in which its admin can be read. English unless declared.
    ///
    /// ```swift
    /// var languages: [Language] {
    ///     [.english, .german.adding(["animal": "Tier", "animals": "Tiere", "Diet": "Ernährung"])]
    /// }
    /// ```
    ///
    /// A browser gets the one that somebody chose in it, else the one that it asks for, else the first. The words of the models
    /// are given in each language beside English: what is not given stays as it is.
    var languages: [Language] { get }

    /// What `serve --demo` begins with. Empty unless declared.
    var sampleData: [any Model] { get }

    /// What `serve --demo` stores, in one commit: the ``sampleData`` unless declared. Declare it where records are to be
    /// linked, too.
    ///
    /// ```swift
    /// var sampleChanges: [Change] {
    ///     let author = Author(name: "Jane Austen"), book = Book(title: "Emma")
    ///     return [.insert(author), .insert(book), .link(book, \.authors, author)]
    /// }
    /// ```
    var sampleChanges: [Change] { get }

    /// Commands of the application's own, beside `serve` and the others. None unless declared.
    ///
    /// ```swift
    /// static var commands: [any ParsableCommand.Type] { [FeedCommand.self] }
    /// ```
    ///
    /// They are written with ArgumentParser, whose `AsyncParsableCommand` they usually are; ``DataOption`` gives them
    /// `--data`. One that has the name of a built-in command is an error at start.
    static var commands: [any ParsableCommand.Type] { get }

    /// What `loadtest --scenario` offers beside the scenarios that come with it. None unless declared.
    ///
    /// ```swift
    /// static var loadScenarios: [LoadScenario] {
    ///     [LoadScenario("morning", [.browse: 8, .edit: 1, LoadAction("overview") { _ = try await $0.get("/admin", step: "page") }: 1])]
    /// }
    /// ```
    static var loadScenarios: [LoadScenario] { get }
}

extension AviaryApp {
    public var migrationPlan: (any SchemaMigrationPlan.Type)? { nil }
    public var history: HistoryPolicy { HistoryPolicy() }
    public var roles: [Role] { [] }
    public var routes: [Route] { [] }
    public var saveHooks: [SaveHook] { [] }
    public var languages: [Language] { [.english] }
    public var sampleData: [any Model] { [] }
    public var sampleChanges: [Change] { sampleData.map(insertion(of:)) }
    public static var commands: [any ParsableCommand.Type] { [] }
    public static var loadScenarios: [LoadScenario] { [] }

    /// Runs the command line.
    public static func main() async {
        await CommandLineRunner.run(Self.self)
    }

    /// The application's name: the type's.
    static var name: String { String(describing: Self.self) }

    /// The name of the program: the type's in lower case.
    static var commandName: String { name.lowercased() }
}

// The compiler crashes when the extension above opens the existential itself.
private func insertion(of model: any Model) -> Change { model.insertion }
