package import Foundation

/// A permission that a ``Role`` grants.
///
/// ```swift
/// Role(
///     "keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self), .task(.activity)
/// )
/// ```
public struct Permission: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case everyModel(Set<ModelAction>)
        case model(String, Set<ModelAction>)
        case task(AdminPermission)
        case properties([PropertyRule])
    }

    let subject: Subject

    /// Creates a permission for actions on the records of one model.
    ///
    /// Each of the actions `add`, `edit` and `delete` includes `view`. Without any action, the permission allows
    /// nothing.
    ///
    /// - Parameters:
    ///   - actions: The actions that the role allows.
    ///   - model: A model that the admin shows. A role that names another model is an error when the application
    ///     starts.
    public static func allow<M: Model>(_ actions: ModelAction..., on model: M.Type) -> Permission {
        Permission(subject: .model(M.modelName, withViewing(actions)))
    }

    /// Creates a permission for actions on a model that has no Swift type in this module.
    package static func allow(_ actions: Set<ModelAction>, onModelNamed name: String) -> Permission {
        Permission(subject: .model(name, withViewing(Array(actions))))
    }

    /// Creates a permission for actions on the records of every model that the admin shows.
    ///
    /// Each of the actions `add`, `edit` and `delete` includes `view`. Without any action, the permission allows
    /// nothing.
    ///
    /// - Parameter actions: The actions that the role allows.
    public static func allowEverywhere(_ actions: ModelAction...) -> Permission {
        Permission(subject: .everyModel(withViewing(actions)))
    }

    /// Creates a permission for one of the admin's own tasks.
    ///
    /// - Parameter task: The task that the role allows.
    public static func task(_ task: AdminPermission) -> Permission {
        Permission(subject: .task(task))
    }

    /// Creates a permission rule that hides properties of a model from the role, whatever else the role allows.
    ///
    /// Lists, sheets, files and the history do not contain the properties, and the role cannot search, sort or
    /// filter by them. A new record gets their default values.
    ///
    /// ```swift
    /// Role("volunteer", .allow(.view, .add, .edit, on: Animal.self), .hide(\Animal.price))
    /// ```
    public static func hide<M: Model>(_ properties: any PartialKeyPath<M> & Sendable...) -> Permission {
        Permission(subject: .properties(properties.map { PropertyRule($0, isHidden: true) }))
    }

    /// Creates a permission rule that lets the role see properties of a model but not set them.
    ///
    /// Use `ModelAdmin.readOnly` for properties that nobody may set.
    public static func readOnly<M: Model>(_ properties: any PartialKeyPath<M> & Sendable...) -> Permission {
        Permission(subject: .properties(properties.map { PropertyRule($0, isHidden: false) }))
    }

    /// Creates a rule like ``hide(_:)`` or ``readOnly(_:)``, for a model that has no Swift type in this module.
    package static func properties(_ names: [String], ofModelNamed model: String, areHidden: Bool) -> Permission {
        Permission(subject: .properties(names.map { PropertyRule(model: model, property: $0, isHidden: areHidden) }))
    }

    private static func withViewing(_ actions: [ModelAction]) -> Set<ModelAction> {
        actions.isEmpty ? [] : Set(actions).union([.view])
    }
}

/// The rule of a role for one property.
struct PropertyRule: Sendable, Hashable {
    let model: String
    /// The name of the property; empty when the key path is not a property of the model.
    let property: String
    let isHidden: Bool
    /// Indicates whether a new record needs a value for the property, because it is required and has no default.
    let isNeeded: Bool

    fileprivate init(model: String, property: String, isHidden: Bool) {
        (self.model, self.property, self.isHidden) = (model, property, isHidden)
        isNeeded = false
    }

    init<M: Model>(_ keyPath: any PartialKeyPath<M> & Sendable, isHidden: Bool) {
        let found = M.schema.property(at: keyPath)
        model = M.modelName
        property = found?.name ?? ""
        isNeeded = found.map { $0.isRequired && $0.makeDefault == nil } ?? false
        self.isHidden = isHidden
    }
}

/// An action on the records of a model, which a ``Role`` can allow.
public enum ModelAction: String, Sendable, Hashable, Codable, CaseIterable {
    /// The permission to read records.
    case view
    /// The permission to create records.
    case add
    /// The permission to change records.
    case edit
    /// The permission to delete records.
    case delete
}

/// A task in the admin that is not an action on records, and which a ``Role`` can allow.
public enum AdminPermission: String, Sendable, Hashable, Codable, CaseIterable {
    /// The management of accounts: creating and disabling them, changing their roles, and signing others out. An
    /// account cannot give a role that allows more than its own, nor create a link for an account that has such a
    /// role.
    case accounts
    /// The creation and restoration of backups. This task gives access to all data: to read it and to replace it.
    case backups
    /// The history of what others did, and undoing it when the records permit it.
    case activity
}

/// The account on whose behalf a request acts, with its permissions. Every view model has a principal and checks its
/// permissions before it reads or changes anything.
package struct Principal: Sendable, Hashable {
    package let account: UUID
    /// The account's name, as in the history.
    package let name: String
    package let role: Role
    /// The epoch of the account, which increases to invalidate what was issued to it before: see ``Account/epoch``.
    package let epoch: Int
    /// Indicates whether the account lacks a second factor that its role requires. Such an account can open only the
    /// page that sets one up.
    package let lacksSecondFactor: Bool

    package init(account: UUID, name: String, role: Role, epoch: Int, lacksSecondFactor: Bool = false) {
        self.account = account
        self.name = name
        self.role = role
        self.epoch = epoch
        self.lacksSecondFactor = lacksSecondFactor
    }

    package func may(_ action: ModelAction, _ model: String) -> Bool { role.allows(action, on: model) }
    package func may(_ task: AdminPermission) -> Bool { role.allows(task) }

    /// The owner of the drafts. Drafts outlive a session, but neither the sign-in of another account nor a new
    /// password.
    package var draftOwner: String { "\(account.canonicalText) \(epoch)" }
}

/// An error of a view model whose principal lacks the permission for a request.
package enum AccessError: Error, Sendable, Hashable {
    /// A request for something whose existence the principal must not learn.
    case hidden
    case forbidden
}

extension Principal {
    /// Checks that the principal may perform an action on a model.
    ///
    /// - Throws: ``AccessError``, which is `hidden` when not even viewing is permitted.
    package func check(_ action: ModelAction, _ model: ModelSchema) throws(AccessError) {
        guard may(.view, model.name) else { throw .hidden }
        guard may(action, model.name) else { throw .forbidden }
    }

    /// Checks that the principal may perform a task.
    ///
    /// - Throws: ``AccessError``.
    package func check(_ task: AdminPermission) throws(AccessError) {
        guard may(task) else { throw .forbidden }
    }
}

// This extension alone decides who may see and set which property, and all input and output of records uses it. It
// combines the admin's declarations for everybody (`.readOnly`), the rules of the role, and the models that the role
// cannot view.
extension Principal {
    /// Indicates whether the principal may see the property and its values: in a sheet, list, file or the history,
    /// and through a filter, a search or an order.
    ///
    /// A relation to a model that the principal may not view is not visible either.
    package func maySee(_ property: String, of model: ModelSchema) -> Bool {
        guard !role.hides(property, of: model.name) else { return false }
        return model.property(property)?.type.model.map { may(.view, $0) } ?? true
    }

    /// Indicates whether a change by the principal may name the property: through a form, a row of another sheet, a
    /// file, a copy or an undo.
    ///
    /// A new record gets the default value of any other property.
    package func maySet(_ property: String, of model: ModelSchema) -> Bool {
        !model.readOnly.contains(property) && !role.locks(property, of: model.name) && maySee(property, of: model)
    }

    /// The names of the properties that the principal may not see.
    package func hiddenProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySee($0, of: model) })
    }

    /// The names of the properties that the principal may not set.
    package func fixedProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySet($0, of: model) })
    }

    /// Returns the changes without the properties of new records that the principal may not set.
    ///
    /// An import names the default of each property, and the store uses the same default for a property that is
    /// missing.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - schema: A closure that returns a model by its name.
    package func leavingDefaults(to changes: [Change], _ schema: (String) -> ModelSchema?) -> [Change] {
        changes.map { change in
            guard case .insert(let name, let id, let values) = change, let model = schema(name) else { return change }
            return .insert(model: name, id: id, values: values.filter { maySet($0.key, of: model) })
        }
    }

    /// Returns the first property that the changes name and the principal may not set; nil when all are permitted.
    ///
    /// This is the final check of a change set that was made from a client's input. Earlier checks already leave
    /// such properties out.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - schema: A closure that returns a model by its name. Properties of an unknown model may not be set.
    package func refusedProperty(
        in changes: [Change], _ schema: (String) -> ModelSchema?
    ) -> (model: String, property: String)? {
        for change in changes {
            let names: [String] =
                switch change {
                case .insert(_, _, let values), .update(_, _, _, let values): values.keys.sorted()
                case .link(_, let property, _, _), .unlink(_, let property, _, _): [property]
                case .delete: []
                }
            let model = schema(change.model)
            if let name = names.first(where: { name in model.map { !maySet(name, of: $0) } ?? true }) {
                return (change.model, name)
            }
        }
        return nil
    }
}
