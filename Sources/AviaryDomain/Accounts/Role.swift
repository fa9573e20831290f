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
    /// The name that accounts refer to: 1 to 40 lowercase ASCII letters, digits and hyphens.
    public let name: String
    private let modelActions: [String: Set<ModelAction>]
    private let everywhere: Set<ModelAction>
    private let tasks: Set<AdminPermission>
    let propertyRules: [PropertyRule]
    private let hidden: Set<String>
    private let locked: Set<String>
    /// Indicates whether an account with this role must set up a second factor before it can open any other page.
    package private(set) var requiresSecondFactor = false

    /// Creates a role.
    ///
    /// A name that is malformed or used twice is an error when the application starts. The names `viewer`, `editor`
    /// and `admin` are already in use.
    ///
    /// - Parameters:
    ///   - name: The role's name: 1 to 40 lowercase ASCII letters, digits and hyphens.
    ///   - permissions: The permissions of the role.
    public init(_ name: String, _ permissions: Permission...) {
        self.init(name, permissions)
    }

    package init(_ name: String, _ permissions: [Permission]) {
        var modelActions: [String: Set<ModelAction>] = [:], everywhere: Set<ModelAction> = [],
            tasks: Set<AdminPermission> = []
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
    /// An account with the role that has no second factor can open only the page that sets one up. In the roles of
    /// an application, ``viewer``, ``editor`` and ``admin`` with this requirement replace the roles without it:
    ///
    /// ```swift
    /// var roles: [Role] {
    ///     [Role.admin.requiringSecondFactor(), Role("clerk", .task(.accounts)).requiringSecondFactor()]
    /// }
    /// ```
    ///
    /// - Returns: The role, whose accounts must have a second factor.
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

    package func allows(_ task: AdminPermission) -> Bool { tasks.contains(task) }

    /// Indicates whether the role hides the property. Use ``Principal/maySee(_:of:)``, which includes all other
    /// rules.
    package func hides(_ property: String, of model: String) -> Bool {
        !hidden.isEmpty && hidden.contains(Self.place(property, model))
    }

    /// Indicates whether the role makes the property read-only. Use ``Principal/maySet(_:of:)``, which includes all
    /// other rules.
    package func locks(_ property: String, of model: String) -> Bool {
        !locked.isEmpty && locked.contains(Self.place(property, model))
    }

    // A Swift identifier cannot contain a dot, so the combination is unambiguous.
    private static func place(_ property: String, _ model: String) -> String { model + "." + property }

    /// Indicates whether this role allows everything that the other role allows.
    package func covers(_ other: Role) -> Bool {
        other.tasks.isSubset(of: tasks) && other.everywhere.isSubset(of: everywhere)
            && other.modelActions.allSatisfy { model, actions in
                actions.isSubset(of: everywhere.union(modelActions[model] ?? []))
            }
            && hidden.isSubset(of: other.hidden) && locked.isSubset(of: other.hidden.union(other.locked))
    }

    /// The names of the models that the permissions mention.
    package var models: Set<String> { Set(modelActions.keys).union(propertyRules.map(\.model)) }
}

/// The roles of an application: the three built-in ones, and its own.
package struct Roles: Sendable {
    package let all: [Role]

    private static let builtIn: [Role] = [.viewer, .editor, .admin]

    /// Creates the roles of an application.
    ///
    /// - Parameters:
    ///   - own: The roles that the application declares.
    ///   - models: The names of the models that the admin shows.
    /// - Throws: ``RoleError`` for a name that is invalid or used twice, or a model that the admin does not show.
    package init(_ own: [Role] = [], models: Set<String> = []) throws(RoleError) {
        // A built-in role with a required second factor replaces the one without.
        let stricter = Set(Self.builtIn.map { $0.requiringSecondFactor() }).intersection(own)
        all =
            Self.builtIn.map { role in stricter.first { $0.name == role.name } ?? role }
            + own.filter { !stricter.contains($0) }
        var names: Set<String> = []
        for role in all {
            guard Self.isName(role.name) else {
                throw RoleError(
                    role: role.name,
                    reason: "has an invalid name. Use up to 40 lower-case letters, digits and hyphens.")
            }
            guard names.insert(role.name).inserted else {
                throw RoleError(
                    role: role.name,
                    reason: "is there twice. Give one of them another name; viewer, editor and admin are always there.")
            }
            if let unknown = role.models.subtracting(models).sorted().first {
                throw RoleError(
                    role: role.name,
                    reason:
                        "names \(unknown), which the admin does not show. Register it with ModelAdmin(\(unknown).self)."
                )
            }
            for rule in role.propertyRules {
                if let problem = role.problem(with: rule) { throw RoleError(role: role.name, reason: problem) }
            }
        }
    }

    package func role(_ name: String) -> Role? {
        all.first { $0.name == name }
    }

    /// Indicates whether a text is a valid name of a role, in this program or another.
    package static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension Role {
    /// Returns the problem with a rule for a property, and what to change; nil when the rule is valid.
    fileprivate func problem(with rule: PropertyRule) -> String? {
        let verb = rule.isHidden ? "hides" : "makes read-only"
        guard !rule.property.isEmpty else {
            return "\(verb) what is no property of \(rule.model). Name what the model stores or is related to."
        }
        let name = "\(rule.model).\(rule.property)"
        if rule.isNeeded, allows(.add, on: rule.model) {
            return
                "\(verb) \(name), which must have a value and has no default: it could add no record. Give \(name) a default, or do not allow .add."
        }
        return nil
    }
}

extension Roles {
    /// Checks that each role can save what it may add.
    ///
    /// - Throws: ``RoleError`` for a role that may add records of a model, but cannot view a model to which each of these
    ///   records must refer: it could never save one.
    package func check(against schema: Schema) throws(RoleError) {
        for need in unseenNeeds(in: schema, of: .add) where need.property.type.isStored {
            throw RoleError(
                role: need.role,
                reason:
                    "may add \(need.model) but cannot view \(need.target), which \(need.place) must refer to: it could add no record. Add .allow(.view, on: \(need.target).self), make \(need.place) optional, or do not allow .add."
            )
        }
    }

    /// Returns a warning for each model on which a role may act although it cannot view what each record needs.
    ///
    /// A role that may edit such a model never changes the relation, which its sheets do not show. A role that may add
    /// records cannot save one that needs links.
    package func warnings(in schema: Schema) -> [RoleWarning] {
        let added = unseenNeeds(in: schema, of: .add).filter { !$0.property.type.isStored }
        let edited = unseenNeeds(in: schema, of: .edit).filter { need in
            need.property.type.isStored || !added.contains { $0.role == need.role && $0.place == need.place }
        }
        return added.map { need in
            RoleWarning(
                text:
                    "The role \"\(need.role)\" may add \(need.model) but cannot view \(need.target), of which \(need.place) needs at least one: its new records cannot be saved.",
                advice: "Add .allow(.view, on: \(need.target).self), or do not allow .add on \(need.model)."
            )
        }
            + edited.map { need in
                RoleWarning(
                    text:
                        "The role \"\(need.role)\" may edit \(need.model) but cannot view \(need.target), which \(need.place) needs: its sheets leave \(need.property.name) out and never change it.",
                    advice:
                        "If the role is to change it, add .allow(.view, on: \(need.target).self). If not, change nothing."
                )
            }
    }

    /// A relation that each record of a model needs, to a model that a role cannot view.
    private struct UnseenNeed {
        let role: String
        let model: String
        let property: PropertySchema
        let target: String

        var place: String { "\(model).\(property.name)" }
    }

    /// Returns the needed relations to models that a role cannot view, of the models on whose records it may act.
    private func unseenNeeds(in schema: Schema, of action: ModelAction) -> [UnseenNeed] {
        all.flatMap { role in
            schema.models.filter { !$0.isBuiltIn && role.allows(action, on: $0.name) }.flatMap { model in
                model.properties.compactMap { property in
                    guard let target = property.type.model, !role.allows(.view, on: target),
                        property.needsRelated(in: schema, of: model)
                    else { return nil }
                    return UnseenNeed(role: role.name, model: model.name, property: property, target: target)
                }
            }
        }
    }
}

extension PropertySchema {
    /// Indicates whether each new record needs a related record that somebody chooses.
    fileprivate func needsRelated(in schema: Schema, of model: ModelSchema) -> Bool {
        guard type.isStored else {
            return schema.link(name, of: model.name) != nil && (relationship?.minimumModelCount ?? 0) > 0
        }
        return isRequired && makeDefault == nil
    }
}

/// A declaration of a ``Role`` that may be intended, but limits the role in a way that is easy to overlook.
package struct RoleWarning: Sendable, Hashable {
    package let text: String
    /// The next step.
    package let advice: String

    package init(text: String, advice: String) {
        self.text = text
        self.advice = advice
    }
}

/// A mistake in the declaration of a ``Role``.
package struct RoleError: Error, Sendable, Hashable, CustomStringConvertible {
    package let role: String
    package let reason: String

    package var description: String { "The role \"\(role)\" \(reason)" }
}
