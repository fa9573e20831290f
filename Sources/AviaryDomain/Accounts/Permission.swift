/// One thing that a ``Role`` allows.
///
/// ```swift
/// Role("keeper", .allow(.view, on: AnimalCategory.self), .allow(.view, .add, .edit, on: Animal.self), .task(.activity))
/// ```
public struct Permission: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case everyModel(Set<ModelAction>)
        case model(String, Set<ModelAction>)
        case task(SiteTask)
    }

    let subject: Subject

    /// These actions on the records of one model. Whoever may add, edit or delete may view, too.
    public static func allow<M: Model>(_ actions: ModelAction..., on model: M.Type) -> Permission {
        Permission(subject: .model(M.modelName, withViewing(actions)))
    }

    /// As ``allow(_:on:)``, of a model that has no Swift type here.
    package static func allow(_ actions: Set<ModelAction>, onModelNamed name: String) -> Permission {
        Permission(subject: .model(name, withViewing(Array(actions))))
    }

    /// These actions on the records of every model that the admin shows.
    public static func allowEverywhere(_ actions: ModelAction...) -> Permission {
        Permission(subject: .everyModel(withViewing(actions)))
    }

    /// One of the admin's own tasks.
    public static func task(_ task: SiteTask) -> Permission {
        Permission(subject: .task(task))
    }

    private static func withViewing(_ actions: [ModelAction]) -> Set<ModelAction> {
        actions.isEmpty ? [] : Set(actions).union([.view])
    }
}
