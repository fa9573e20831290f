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
