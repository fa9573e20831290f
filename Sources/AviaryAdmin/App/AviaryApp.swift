public import ArgumentParser
public import AviaryDomain
public import AviaryLocalization
public import Foundation
import Synchronization

/// An application: its models, their admin, and the command line that serves them.
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
/// `swift run zoo serve` then serves the admin, and `zoo --help` lists the other commands.
public protocol AviaryApp: Sendable {
    /// The type of the admin, which the compiler infers from ``admin``.
    associatedtype Body: Admin

    /// Creates the application.
    init()

    /// The models and their declarations for the admin, in the order of the navigation.
    @AdminBuilder var admin: Body { get }

    /// The plan that migrates a store of an older version of the models to the newest; nil by default.
    ///
    /// The server finds changes that need no decision by comparison. They need no plan.
    var migrationPlan: (any SchemaMigrationPlan.Type)? { get }

    /// The limits of the history, from which users undo commits and see who made which change.
    ///
    /// The default is the history of all models for a year, up to 1 GiB.
    var history: HistoryPolicy { get }

    /// The application's own roles, in addition to viewer, editor and admin; none by default.
    ///
    /// ```swift
    /// var roles: [Role] {
    ///     [Role("keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self))]
    /// }
    /// ```
    var roles: [Role] { get }

    /// The application's own routes and pages, in addition to those of the admin; none by default.
    ///
    /// ```swift
    /// @RouteBuilder var routes: [Route] {
    ///     Route.get("/feeding-plan", access: .allowed(.view, on: Animal.self)) { request in
    ///         .html("Feeding plan") { PageText("Hay, fish and leaves.") }
    ///     }
    ///     .navigationItem("Feeding plan", icon: .calendar)
    /// }
    /// ```
    @RouteBuilder var routes: [Route] { get }

    /// The hooks that run before and after a record is saved; none by default.
    @SaveHookBuilder var saveHooks: [SaveHook] { get }

    /// The languages of the admin; English by default.
    ///
    /// ```swift
    /// var languages: [Language] {
    ///     [.english, .german.adding(["animal": "Tier", "animals": "Tiere", "Diet": "Ernährung"])]
    /// }
    /// ```
    ///
    /// The server uses the language that the user chose in the browser, otherwise the one that the browser
    /// requests, otherwise the first. Add the words of your models to each language except English. Words without a
    /// translation stay as they are.
    var languages: [Language] { get }

    /// The time zone in which the admin shows and reads points in time; UTC by default.
    ///
    /// ```swift
    /// var timeZone: TimeZone { TimeZone(identifier: "Europe/Berlin") ?? .gmt }
    /// ```
    ///
    /// The labels of fields name the zone, and other times their distance from UTC. Days of filters are days of the
    /// zone. The store, exports, imports, commands and logs have UTC. The server needs the system's time zone data.
    var timeZone: TimeZone { get }

    /// The records with which `serve --demo` begins; none by default.
    var sampleData: [any Model] { get }

    /// The changes that `serve --demo` commits at its start, in one commit; by default, the inserts of ``sampleData``.
    ///
    /// Declare it where the sample records need links too.
    ///
    /// ```swift
    /// var sampleChanges: [Change] {
    ///     let author = Author(name: "Jane Austen"), book = Book(title: "Emma")
    ///     return [.insert(author), .insert(book), .link(book, \.authors, author)]
    /// }
    /// ```
    var sampleChanges: [Change] { get }

    /// The application's own commands, in addition to `serve` and the other built-in ones; none by default.
    ///
    /// ```swift
    /// static var commands: [any ParsableCommand.Type] { [FeedCommand.self] }
    /// ```
    ///
    /// Write them with ArgumentParser, usually as an `AsyncParsableCommand`. ``DataOption`` gives them the option
    /// `--data`. A command with the name of a built-in one is an error when the application starts.
    static var commands: [any ParsableCommand.Type] { get }
}

extension AviaryApp {
    public var migrationPlan: (any SchemaMigrationPlan.Type)? { nil }
    public var history: HistoryPolicy { HistoryPolicy() }
    public var roles: [Role] { [] }
    public var routes: [Route] { [] }
    public var saveHooks: [SaveHook] { [] }
    public var languages: [Language] { [.english] }
    public var timeZone: TimeZone { .gmt }
    public var sampleData: [any Model] { [] }
    public var sampleChanges: [Change] { sampleData.map(insertion(of:)) }
    public static var commands: [any ParsableCommand.Type] { [] }

    /// The application's name, which is the name of the type.
    package static var name: String { String(describing: Self.self) }

    /// The name of the program, with which messages name commands to run: the name under which it was started, or in the
    /// process of a test the name of the type in lower case.
    package static var commandName: String { ProgramName.current ?? name.lowercased() }
}

/// The name of the program that runs the command line.
///
/// A package names a product independently of the type with `@main`, and an installed program can have another name.
package enum ProgramName {
    private static let started = Mutex<String?>(nil)

    /// The name under which the program was started; nil in a process that runs no command line, such as a test.
    package static var current: String? { started.withLock { $0 } }

    /// Notes the path with which the program was started, before any message is made.
    package static func begin(path: String?) {
        let name = path.flatMap(name(ofPath:))
        started.withLock { $0 = name }
    }

    /// Returns the last component of the path; nil if it is no name that a user can type.
    package static func name(ofPath path: String) -> String? {
        // A load test starts its server from this link.
        guard path != "/proc/self/exe" else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}

// The compiler crashes when the extension above opens the existential itself.
private func insertion(of model: any Model) -> Change { model.insertion }

/// The checked declarations of an application.
package struct AppDefinition: Sendable {
    package let name: String
    package let commandName: String
    package let schema: Schema
    package let configurations: [ModelConfiguration]
    let migrationPlan: MigrationPlan?
    package private(set) var history: HistoryPolicy
    package let roles: Roles
    let routes: CustomRoutes
    let saveHooks: SaveHooks
    let languages: [Language]
    /// The time zone of pages; nil for UTC.
    package let timeZone: TimeZone?
    let sampleChanges: [Change]

    /// Creates the definition of an application.
    ///
    /// - Throws: `SchemaError`, `RoleError` or `RouteError` for a mistake in the declaration; for several, a
    ///   `SchemaError` with all of them; ``HistoryLimitError`` for a mistake in the environment.
    package init<App: AviaryApp>(_ type: App.Type) throws {
        let app = App()
        var mistakes = DeclarationMistakes()
        let declared = app.admin.registrations
        let models = Set(declared.map(\.schema.name))
        let roles = mistakes.collect { try Roles(app.roles, models: models) }
        let registrations = declared.map { model in
            mistakes.collect { try model.titled(for: roles?.all ?? []) } ?? model
        }
        name = App.name
        commandName = App.commandName
        let schema = mistakes.collect { try Schema(registrations.map(\.schema) + Schema.builtIn) }
        if let schema, let roles { _ = mistakes.collect { try roles.check(against: schema) } }
        var configurations: [ModelConfiguration] = []
        for registration in registrations {
            let configuration = mistakes.collect { try registration.configuration() }
            // The rows of a sheet need the relations, which only a valid schema has.
            let sheet = schema.flatMap { schema in
                mistakes.collect { try SheetConfiguration(registration.sheet, of: registration.schema, in: schema) }
            }
            let references = schema.flatMap { schema in
                mistakes.collect {
                    try ModelConfiguration.searchedReferences(registration.list, of: registration.schema, in: schema)
                }
            }
            guard var configuration, let sheet, let references else { continue }
            configuration.sheet = sheet
            configuration.searchedReferences = references
            configurations.append(configuration)
        }
        let plan = schema.flatMap { schema in
            app.migrationPlan.flatMap { plan in mistakes.collect { try MigrationPlan(plan, to: schema) } }
        }
        let routes = mistakes.collect { try CustomRoutes(app.routes, models: models) }
        guard let schema, let roles, let routes, mistakes.isEmpty else { throw mistakes.error }
        self.schema = schema
        self.configurations = configurations
        migrationPlan = plan
        let limits = try HistoryLimits.fromEnvironment()
        history = app.history.bounded(age: limits.age, size: limits.size)
        self.roles = roles
        self.routes = routes
        saveHooks = SaveHooks(app.saveHooks)
        languages = app.languages
        timeZone = app.timeZone == .gmt ? nil : app.timeZone
        sampleChanges = app.sampleChanges
    }

    /// Returns the definition with other bounds of the history.
    ///
    /// - Parameter limits: The bounds.
    package func keepingHistory(_ limits: HistoryLimits) -> AppDefinition {
        var copy = self
        copy.history = history.bounded(age: limits.age, size: limits.size)
        return copy
    }
}

/// The mistakes in the parts of an application, so that one start reports all of them.
private struct DeclarationMistakes {
    private var errors: [any Error] = []

    var isEmpty: Bool { errors.isEmpty }

    /// The only mistake, or an error with all of them.
    var error: any Error {
        guard errors.count > 1 else { return errors.first ?? SchemaError(model: "The application", "is incomplete.") }
        return SchemaError(errors.flatMap(Self.mistakes)) ?? errors[0]
    }

    mutating func collect<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    private static func mistakes(in error: any Error) -> [SchemaError] {
        switch error {
        case let error as SchemaError: error.all
        case let error as RoleError: [SchemaError(model: "The role \"\(error.role)\"", error.reason)]
        case let error as RouteError: [SchemaError(model: "The route \(error.path)", error.reason)]
        default: [SchemaError(model: "The application", "cannot start: \(error)")]
        }
    }
}

extension AviaryApp {
    /// Runs a closure with the application's store, for a command of the application.
    ///
    /// When a server runs on the directory, the closure works through it. Otherwise this process owns the store while
    /// the closure runs. Save hooks run as they do in the admin.
    ///
    /// ```swift
    /// func run() async throws {
    ///     try await Zoo.withStore(data: "data", as: "feeder") { store in
    ///         let animals = try await store.repository(for: Animal.self)
    ///         try await animals.insert(Animal(name: "Okapi"))
    ///     }
    /// }
    /// ```
    ///
    /// A mistyped path is an error, and nothing is created there. A command that fills a new directory, or a test, creates
    /// the store:
    ///
    /// ```swift
    /// try await Zoo.withStore(data: "data", as: "fill", createsStore: true) { store in
    ///     try await store.submit(Zoo().sampleChanges)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - author: The name under which the history records the changes.
    ///   - createsStore: Pass true to create the directory and its store when there is none.
    ///   - body: A closure that takes the store.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure; ``DataDirectoryError`` when the directory contains no store or another process
    ///   owns it; an error that reports a mistake in the application's declarations or a problem with the store's file.
    public static func withStore<Result: Sendable>(
        data directory: String, as author: String, createsStore: Bool = false,
        _ body: (AviaryStore) async throws -> Result
    ) async throws -> Result {
        try await withStore(at: StoreLocation(directory), as: author, createsStore: createsStore, body)
    }

    /// Runs a closure with the application's store, which a data directory or a database contains, for a command of the
    /// application.
    ///
    /// ```swift
    /// func run() async throws {
    ///     try await Zoo.withStore(at: location.store, as: "feeder") { store in
    ///         let animals = try await store.repository(for: Animal.self)
    ///         try await animals.insert(Animal(name: "Okapi"))
    ///     }
    /// }
    /// ```
    ///
    /// It works as ``withStore(data:as:createsStore:_:)`` does. The command writes through the server that runs on the data
    /// directory of this host, or else as another host of the database.
    ///
    /// - Parameters:
    ///   - location: The location of the store. That of a command's flags is `DataOption.store`.
    ///   - author: The name under which the history records the changes.
    ///   - createsStore: Pass true to create the store when there is none.
    ///   - body: A closure that takes the store.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure; ``DataDirectoryError`` when there is no store or another process owns the
    ///   directory; an error that reports a mistake in the application's declarations or a problem with the store.
    public static func withStore<Result: Sendable>(
        at location: StoreLocation, as author: String, createsStore: Bool = false,
        _ body: (AviaryStore) async throws -> Result
    ) async throws -> Result {
        let app = try AppDefinition(Self.self)
        guard try createsStore || location.hasStore() else {
            throw DataDirectoryError(
                path: location.name, reason: "there is no store yet.", advice: "Start the store first.")
        }
        return try await DependencyContainer.attached(to: location, of: app) {
            try await body($0.store(for: author))
        }
    }
}
