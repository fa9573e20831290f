/// A named set of permissions for accounts.
///
/// The roles ``viewer``, ``editor`` and ``admin`` always exist. An application declares further ones:
///
/// ```swift
/// struct Zoo: AviaryApp {
///     var roles: [Role] {
///         [Role("keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self))]
///     }
/// }
/// ```
///
/// The admin does not show an account what its role does not allow, and rejects a request for it.
public struct Role: Sendable, Hashable {
    /// The name that accounts refer to: 1 to 40 lower-case ASCII letters, digits and hyphens.
    public let name: String
    private let modelActions: [String: Set<ModelAction>]
    private let everywhere: Set<ModelAction>
    private let tasks: Set<SiteTask>
    let propertyRules: [PropertyRule]
    private let hidden: Set<String>
    private let locked: Set<String>
    /// A Boolean value that indicates whether an account of the role reaches nothing before it has a second factor.
    package private(set) var requiresSecondFactor = false

    /// Creates a role.
    ///
    /// A name that is malformed or used twice, also as `viewer`, `editor` or `admin`, is an error when the application
    /// starts.
    ///
    /// - Parameters:
    ///   - name: The role's name: 1 to 40 lower-case ASCII letters, digits and hyphens.
    ///   - permissions: The permissions of the role.
    public init(_ name: String, _ permissions: Permission...) {
        self.init(name, permissions)
    }

    package init(_ name: String, _ permissions: [Permission]) {
        var modelActions: [String: Set<ModelAction>] = [:], everywhere: Set<ModelAction> = [], tasks: Set<SiteTask> = []
        var rules: [PropertyRule] = []
        for permission in permissions {
            switch permission.subject {
            case .everyModel(let actions): everywhere.formUnion(actions)
            case .model(let model, let actions): modelActions[model, default: []].formUnion(actions)
            case .task(let task): tasks.insert(task)
            case .properties(let found): rules += found
            }
        }
        self.name = name
        self.modelActions = modelActions
        self.everywhere = everywhere
        self.tasks = tasks
        propertyRules = rules
        hidden = Set(rules.filter(\.isHidden).map { Self.place($0.property, $0.model) })
        locked = Set(rules.filter { !$0.isHidden }.map { Self.place($0.property, $0.model) })
    }

    /// Returns the same role with a required second factor.
    ///
    /// An account of the role that has no second factor reaches only the page that sets one up. In the roles of an
    /// application, ``viewer``, ``editor`` and ``admin`` with this requirement replace those without it:
    ///
    /// ```swift
    /// var roles: [Role] {
    ///     [Role.admin.requiringSecondFactor(), Role("clerk", .task(.accounts)).requiringSecondFactor()]
    /// }
    /// ```
    ///
    /// - Returns: The role, of which accounts must have a second factor.
    public func requiringSecondFactor() -> Role {
        var role = self
        role.requiresSecondFactor = true
        return role
    }

    /// The role that can view the records of every model and change none.
    public static let viewer = Role("viewer", .allowEverywhere(.view))
    /// The role that can view, add, edit and delete records of every model, and read and undo what others did.
    public static let editor = Role("editor", .allowEverywhere(.view, .add, .edit, .delete), .task(.activity))
    /// The role that can do everything.
    public static let admin = Role(
        "admin", .allowEverywhere(.view, .add, .edit, .delete), .task(.accounts), .task(.backups), .task(.activity)
    )

    package func allows(_ action: ModelAction, on model: String) -> Bool {
        everywhere.contains(action) || modelActions[model]?.contains(action) == true
    }

    package func allows(_ task: SiteTask) -> Bool { tasks.contains(task) }

    /// Whether the role hides the property; ``Principal/maySee(_:of:)`` is what to ask.
    package func hides(_ property: String, of model: String) -> Bool {
        !hidden.isEmpty && hidden.contains(Self.place(property, model))
    }

    /// Whether the role shows the property and does not let it be set; ``Principal/maySet(_:of:)`` is what to ask.
    package func locks(_ property: String, of model: String) -> Bool {
        !locked.isEmpty && locked.contains(Self.place(property, model))
    }

    // A dot is in no Swift identifier.
    private static func place(_ property: String, _ model: String) -> String { model + "." + property }

    /// Returns whether the other role allows nothing that this one does not.
    package func covers(_ other: Role) -> Bool {
        other.tasks.isSubset(of: tasks) && other.everywhere.isSubset(of: everywhere)
            && other.modelActions.allSatisfy { model, actions in
                actions.isSubset(of: everywhere.union(modelActions[model] ?? []))
            }
            && hidden.isSubset(of: other.hidden) && locked.isSubset(of: other.hidden.union(other.locked))
    }

    /// The models that it names.
    package var models: Set<String> { Set(modelActions.keys).union(propertyRules.map(\.model)) }
}
