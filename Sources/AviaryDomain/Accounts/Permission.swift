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
        case task(SiteTask)
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

    /// Creates a permission as ``allow(_:on:)`` does, for a model without a Swift type in this module.
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
    public static func task(_ task: SiteTask) -> Permission {
        Permission(subject: .task(task))
    }

    /// Hides these properties of a model from the role, whatever else it allows: they are in no list, sheet, file or history,
    /// and nothing is found, sorted or narrowed by them. A new record begins with their defaults.
    ///
    /// ```swift
    /// Role("volunteer", .allow(.view, .add, .edit, on: Animal.self), .hide(\Animal.price))
    /// ```
    public static func hide<M: Model>(_ properties: any PartialKeyPath<M> & Sendable...) -> Permission {
        Permission(subject: .properties(properties.map { PropertyRule($0, isHidden: true) }))
    }

    /// Lets the role see these properties of a model and never set them. What nobody is to set is declared once, by
    /// `ModelAdmin.readOnly`.
    public static func readOnly<M: Model>(_ properties: any PartialKeyPath<M> & Sendable...) -> Permission {
        Permission(subject: .properties(properties.map { PropertyRule($0, isHidden: false) }))
    }

    /// As ``hide(_:)`` and ``readOnly(_:)``, of a model that has no Swift type here.
    package static func properties(_ names: [String], ofModelNamed model: String, areHidden: Bool) -> Permission {
        Permission(subject: .properties(names.map { PropertyRule(model: model, property: $0, isHidden: areHidden) }))
    }

    private static func withViewing(_ actions: [ModelAction]) -> Set<ModelAction> {
        actions.isEmpty ? [] : Set(actions).union([.view])
    }
}

/// What a role says of one property.
struct PropertyRule: Sendable, Hashable {
    let model: String
    /// Empty for what is no property of the model.
    let property: String
    let isHidden: Bool
    /// Whether records are called by it.
    let isTitle: Bool
    /// Whether no record can be added without somebody setting it.
    let isNeeded: Bool

    fileprivate init(model: String, property: String, isHidden: Bool) {
        (self.model, self.property, self.isHidden) = (model, property, isHidden)
        (isTitle, isNeeded) = (false, false)
    }

    init<M: Model>(_ keyPath: any PartialKeyPath<M> & Sendable, isHidden: Bool) {
        let found = M.schema.property(at: keyPath)
        model = M.modelName
        property = found?.name ?? ""
        isTitle = found.map { $0.name == M.schema.titleProperty?.name } ?? false
        isNeeded = found.map { $0.isRequired && $0.makeDefault == nil } ?? false
        self.isHidden = isHidden
    }
}

/// An action on the records of a model, which a ``Role`` can allow.
public enum ModelAction: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reading records.
    case view
    /// Creating records.
    case add
    /// Changing records.
    case edit
    /// Deleting records.
    case delete
}

/// A task in the admin that is not an action on records, and which a ``Role`` can allow.
public enum SiteTask: String, Sendable, Hashable, Codable, CaseIterable {
    /// Managing accounts: creating and disabling them, changing their roles, and signing others out. An account cannot give
    /// a role that allows more than its own, nor create a link for an account that has such a role.
    case accounts
    /// Making and restoring backups. This task gives access to all data: to read it and to replace it.
    case backups
    /// Reading what others did, and undoing it where the records permit it.
    case activity
}

/// The account on whose behalf a request acts, with its permissions. Every view model has a principal and checks its
/// permissions before it reads or changes anything.
package struct Principal: Sendable, Hashable {
    package let account: UUID
    /// The account's name, as in the history.
    package let name: String
    package let role: Role
    /// Grows when what was issued to the account before is to be worth nothing: see ``Account/epoch``.
    package let epoch: Int
    /// A Boolean value that indicates whether the account lacks a second factor that its role requires. Such an account
    /// reaches only the page that sets one up.
    package let lacksSecondFactor: Bool

    package init(account: UUID, name: String, role: Role, epoch: Int, lacksSecondFactor: Bool = false) {
        self.account = account
        self.name = name
        self.role = role
        self.epoch = epoch
        self.lacksSecondFactor = lacksSecondFactor
    }

    package func may(_ action: ModelAction, _ model: String) -> Bool { role.allows(action, on: model) }
    package func may(_ task: SiteTask) -> Bool { role.allows(task) }

    /// The owner of the drafts. Drafts outlive a session, but neither the sign-in of another account nor a new
    /// password.
    package var draftOwner: String { "\(account.canonicalText) \(epoch)" }
}

/// An error of a view model whose principal lacks the permission for a request.
package enum AccessRefusal: Error, Sendable, Hashable {
    /// A request for something whose very existence the principal must not learn.
    case hidden
    case forbidden
}

extension Principal {
    /// - Throws: ``AccessRefusal``, `hidden` where not even viewing is permitted.
    package func check(_ action: ModelAction, _ model: ModelSchema) throws(AccessRefusal) {
        guard may(.view, model.name) else { throw .hidden }
        guard may(action, model.name) else { throw .forbidden }
    }

    /// - Throws: ``AccessRefusal``.
    package func check(_ task: SiteTask) throws(AccessRefusal) {
        guard may(task) else { throw .forbidden }
    }
}

// The one table of who may see and set which property: every way in and out of the records asks it. It is put together of
// what the admin declares for everybody (`.readOnly`), of what a role says, and of the models that it does not show.
extension Principal {
    /// Whether the property and what stands in it may be told: in a sheet, a list or a file, by a filter, a search, an order or
    /// the history. What leads to a model that may not be viewed may not be seen either.
    package func maySee(_ property: String, of model: ModelSchema) -> Bool {
        guard !role.hides(property, of: model.name) else { return false }
        return model.property(property)?.type.model.map { may(.view, $0) } ?? true
    }

    /// Whether a change that the principal asks for may name the property: by a form, a row of another sheet, a file, a copy or
    /// an undo. A new record begins with its default.
    package func maySet(_ property: String, of model: ModelSchema) -> Bool {
        !model.readOnly.contains(property) && !role.locks(property, of: model.name) && maySee(property, of: model)
    }

    /// The properties that may not be seen, by their names.
    package func hiddenProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySee($0, of: model) })
    }

    /// The properties that may not be set, by their names.
    package func fixedProperties(of model: ModelSchema) -> Set<String> {
        Set(model.properties.map(\.name).filter { !maySet($0, of: model) })
    }

    /// The changes, whose new records do not name what the principal may not set: an import names each property's default, and
    /// the store makes the same of one that is not named.
    ///
    /// - Parameter schema: Finds a model by its name.
    package func leavingDefaults(to changes: [Change], _ schema: (String) -> ModelSchema?) -> [Change] {
        changes.map { change in
            guard case .insert(let name, let id, let values) = change, let model = schema(name) else { return change }
            return .insert(model: name, id: id, values: values.filter { maySet($0.key, of: model) })
        }
    }

    /// The first property that the changes name and the principal may not set. Asked where a change set is made of what
    /// somebody sent, after all that kept such a property out of it.
    ///
    /// - Parameter schema: Finds a model by its name; what it does not find may not be set.
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
