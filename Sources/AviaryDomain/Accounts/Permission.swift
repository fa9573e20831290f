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

    private static func withViewing(_ actions: [ModelAction]) -> Set<ModelAction> {
        actions.isEmpty ? [] : Set(actions).union([.view])
    }
}
