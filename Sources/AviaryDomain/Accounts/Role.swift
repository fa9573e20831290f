/// What the accounts that have it may do. There are three to begin with, and an application declares its own:
///
/// ```swift
/// struct Zoo: AviaryApp {
///     var roles: [Role] {
///         [Role("keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self))]
///     }
/// }
/// ```
///
/// What a role does not allow is not shown to its accounts, and refused when they ask for it all the same.
public struct Role: Sendable, Hashable {
    /// What the accounts say: lower-case letters, digits and hyphens.
    public let name: String
    private let modelActions: [String: Set<ModelAction>]
    private let everywhere: Set<ModelAction>
    private let tasks: Set<SiteTask>

    public init(_ name: String, _ permissions: Permission...) {
        self.init(name, permissions)
    }

    package init(_ name: String, _ permissions: [Permission]) {
        var modelActions: [String: Set<ModelAction>] = [:], everywhere: Set<ModelAction> = [], tasks: Set<SiteTask> = []
        for permission in permissions {
            switch permission.subject {
            case .everyModel(let actions): everywhere.formUnion(actions)
            case .model(let model, let actions): modelActions[model, default: []].formUnion(actions)
            case .task(let task): tasks.insert(task)
            }
        }
        self.name = name
        self.modelActions = modelActions
        self.everywhere = everywhere
        self.tasks = tasks
    }

    /// Sees every record and changes none.
    public static let viewer = Role("viewer", .allowEverywhere(.view))
    /// Views, adds, edits and deletes records of every model, and sees what was done.
    public static let editor = Role("editor", .allowEverywhere(.view, .add, .edit, .delete), .task(.activity))
    /// May do everything.
    public static let admin = Role(
        "admin", .allowEverywhere(.view, .add, .edit, .delete), .task(.accounts), .task(.backups), .task(.activity)
    )

    package func allows(_ action: ModelAction, on model: String) -> Bool {
        everywhere.contains(action) || modelActions[model]?.contains(action) == true
    }

    package func allows(_ task: SiteTask) -> Bool { tasks.contains(task) }

    /// Whether the other allows nothing that this one does not.
    package func covers(_ other: Role) -> Bool {
        other.tasks.isSubset(of: tasks) && other.everywhere.isSubset(of: everywhere)
            && other.modelActions.allSatisfy { model, actions in
                actions.isSubset(of: everywhere.union(modelActions[model] ?? []))
            }
    }

    /// The models that it names.
    package var models: Set<String> { Set(modelActions.keys) }
}
