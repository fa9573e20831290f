import AviaryDomain

/// An application's hooks by model, in the order of their declaration.
struct SaveHooks: Sendable {
    private let byModel: [String: [SaveHook]]

    init(_ hooks: [SaveHook]) {
        byModel = Dictionary(grouping: hooks, by: \.model)
    }

    func concern(_ changes: [Change]) -> Bool {
        !byModel.isEmpty && changes.contains { byModel[$0.model] != nil }
    }

    func concern(_ change: Change) -> Bool { byModel[change.model] != nil }

    /// The values after all hooks before the save.
    func before(_ record: Record, of model: ModelSchema, _ context: SaveContext) async throws -> Record {
        var record = record
        for hook in byModel[model.name] ?? [] {
            guard let before = hook.before else { continue }
            record = Record(id: record.id, version: record.version, values: try await before(record, context))
        }
        return record
    }

    /// - Parameter report: told what a hook threw.
    func after(_ record: Record, of model: ModelSchema, _ context: SaveContext, report: (any Error) -> Void) async {
        for hook in byModel[model.name] ?? [] {
            do {
                try await hook.after?(record, context)
            } catch {
                report(error)
            }
        }
    }
}
