public import AviaryDomain

/// What an application does before or after a record is saved: what ``AviaryApp/saveHooks`` lists.
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
/// Hooks run in the process where the save is submitted: in a web worker for the admin and own routes, in the command
/// for imports and own commands. Other programs that write through ``AviaryStore`` and restores run none; nor does an
/// undo, which brings back what was.
public struct SaveHook: Sendable {
    typealias Before = @Sendable (Record, SaveContext) async throws -> [FieldValue]
    typealias After = @Sendable (Record, SaveContext) async throws -> Void

    let model: String
    let before: Before?
    let after: After?

    /// Changes or refuses a record before it is submitted.
    ///
    /// Runs again when the same save is repeated after a lost connection. The store answers the repeat with the first
    /// result, whatever the hook makes of it then. A change of the record's `id` has no effect.
    ///
    /// - Parameter body: May throw a ``SaveRefusal``, which the editor shows at its field. Anything else that it throws
    ///   refuses the save, too: nothing is stored, the log names the error's type, and what was typed stays on the page.
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

    /// Is told of a record that was stored, before the answer is sent.
    ///
    /// At most once: a process that dies between the commit and the hook does not make up for it. Who must miss nothing
    /// reads the history. What the body throws is logged and changes nothing: the record is stored.
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
