public import AviaryDomain

/// A function that runs before or after a record is saved, listed in ``AviaryApp/saveHooks``.
///
/// ```swift
/// var saveHooks: [SaveHook] {
///     SaveHook.before(Animal.self) { animal, _ in
///         if animal.name == "Dodo" { throw SaveRefusal(\Animal.name, "The dodo is extinct.") }
///     }
///     SaveHook.after(Animal.self) { animal, save in
///         if save.isNew { await keepers.tell("\(animal.name) has arrived.") }
///     }
/// }
/// ```
///
/// A hook runs in the process that submits the save: in a web worker for the admin and the application's own routes, in
/// the command for imports and the application's own commands. Hooks do not run for other programs that write through
/// ``AviaryStore``, for restores, and for an undo, which brings back earlier values.
public struct SaveHook: Sendable {
    typealias Before = @Sendable (Record, SaveContext) async throws -> [FieldValue]
    typealias After = @Sendable (Record, SaveContext) async throws -> Void

    let model: String
    let before: Before?
    let after: After?

    /// Creates a hook that changes or rejects a record before it is submitted.
    ///
    /// The hook runs again when the same save is repeated after a lost connection. The store answers the repetition
    /// with the first result, whatever the hook returns then. Changing the record's `id` has no effect.
    ///
    /// - Parameters:
    ///   - model: The model whose saves the hook handles.
    ///   - body: A closure that modifies the record. When it throws a ``SaveRefusal``, the editor shows the message at
    ///     its field. Any other error rejects the save too: nothing is stored, the log names the type of the error, and
    ///     the input stays on the page.
    public static func before<M: Model>(
        _ model: M.Type, _ body: @escaping @Sendable (inout M, SaveContext) async throws -> Void
    ) -> SaveHook {
        SaveHook(
            model: M.modelName,
            before: { record, context in
                var value = try M(record)
                try await body(&value, context)
                return value.storedValues
            }, after: nil)
    }

    /// Creates a hook that runs after a record was stored and before the answer is sent.
    ///
    /// The hook runs at most once for a save: it is not made up for when the process ends between the commit and the
    /// hook. Read the history where you must not miss a change. An error that the hook throws is logged and has no
    /// further effect, because the record is stored.
    ///
    /// - Parameters:
    ///   - model: The model whose saves the hook handles.
    ///   - body: A closure that takes the stored record.
    public static func after<M: Model>(
        _ model: M.Type, _ body: @escaping @Sendable (M, SaveContext) async throws -> Void
    ) -> SaveHook {
        SaveHook(
            model: M.modelName, before: nil,
            after: { record, context in
                try await body(try M(record), context)
            })
    }
}
