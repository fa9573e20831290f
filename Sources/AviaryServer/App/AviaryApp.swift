public import AviaryDomain

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

    /// What the store remembers of changes, for undo and for those who ask who did what. A year and 1 GiB of all
    /// models unless declared.
    var history: HistoryPolicy { get }

    /// What `serve --demo` begins with. Empty unless declared.
    var sampleData: [any Model] { get }
}

extension AviaryApp {
    public var history: HistoryPolicy { HistoryPolicy() }
    public var sampleData: [any Model] { [] }

    /// Runs the command line.
    public static func main() async {
        await CommandLineRunner.run(Self.self)
    }

    /// The application's name: the type's.
    static var name: String { String(describing: Self.self) }

    /// The name of the program: the type's in lower case.
    static var commandName: String { name.lowercased() }
}
