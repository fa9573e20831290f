public import AviaryDomain
public import Foundation

/// A function that runs before or after a record is saved, listed in ``AviaryApp/saveHooks``.
///
/// ```swift
/// var saveHooks: [SaveHook] {
///     SaveHook.before(Animal.self) { animal, _ in
///         if animal.name == "Dodo" { throw SaveError(\Animal.name, "The dodo is extinct.") }
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
    /// The hook gets the values as they were entered, and the rules of properties and ``Model/validate()`` are checked
    /// for its result: it can trim a text or fill in a value that is required. It does not run for a record with a value
    /// that cannot be read.
    ///
    /// The hook also runs when an import or an update of many records is only checked, so it must have no effect beyond
    /// the record. It runs again when the same save is repeated after a lost connection. The store answers the repetition
    /// with the first result, whatever the hook returns then. Changing the record's `id` has no effect.
    ///
    /// A hook can read other records with ``SaveContext/fetch(_:)``. It then runs again when others change them before
    /// the record is stored.
    ///
    /// - Parameters:
    ///   - model: The model whose saves the hook handles.
    ///   - body: A closure that modifies the record. When it throws a ``SaveError``, the editor shows the message at
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
    /// The hook runs at most once for a save. If the process ends between the commit and the hook, the hook does
    /// not run later; read the history if you must not miss a change. An error that the hook throws is logged and
    /// has no further effect, because the record is stored.
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

/// The circumstances of a save, which a ``SaveHook`` receives, and its access to other records.
public struct SaveContext: Sendable, Hashable {
    /// The name of the user who saves.
    public let author: String
    /// Indicates whether the record is stored for the first time.
    public let isNew: Bool
    /// The id of the change set. A repeated save has the same id. When values are only checked, no change set has the id.
    public let changeSet: UUID
    /// The number of the commit that stored the record; nil in a hook that runs before.
    public let commit: Int64?
    let reads: SaveReads

    public static func == (left: SaveContext, right: SaveContext) -> Bool {
        left.author == right.author && left.isNew == right.isNew && left.changeSet == right.changeSet
            && left.commit == right.commit
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(author)
        hasher.combine(isNew)
        hasher.combine(changeSet)
        hasher.combine(commit)
    }
}

/// An error that a ``SaveHook`` throws to reject a record, with a message for the person who typed it.
///
/// ```swift
/// throw SaveError(\Animal.name, "The dodo is extinct.")
/// ```
public struct SaveError: Error, Sendable, Hashable, CustomStringConvertible {
    let keyPath: any AnyKeyPath & Sendable
    /// A sentence that says what to do instead.
    public let message: String

    /// Creates an error that names a field.
    ///
    /// - Parameters:
    ///   - property: A stored property of the model.
    ///   - message: A sentence that says what to do instead. It must not quote the typed value.
    public init<M: Model>(_ property: any PartialKeyPath<M> & Sendable, _ message: String) {
        keyPath = property
        self.message = message
    }

    /// The message.
    public var description: String { message }

    public static func == (left: SaveError, right: SaveError) -> Bool {
        left.keyPath as AnyKeyPath == right.keyPath as AnyKeyPath && left.message == right.message
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyPath as AnyKeyPath)
        hasher.combine(message)
    }

    func problem(in schema: ModelSchema) -> FieldProblem {
        let property = schema.property(at: keyPath) ?? schema.titleProperty ?? schema.storedProperties.first
        return FieldProblem(property: property?.name ?? "", message: message.translated)
    }
}

extension SaveError: ActionError {
    package var reason: String { message.translated }
}

/// A result builder that builds the list in ``AviaryApp/saveHooks``.
@resultBuilder
public enum SaveHookBuilder {
    /// Builds a list from one hook.
    public static func buildExpression(_ hook: SaveHook) -> [SaveHook] { [hook] }
    /// Builds a list from a list of hooks.
    public static func buildExpression(_ hooks: [SaveHook]) -> [SaveHook] { hooks }
    /// Builds a list from the hooks of a block.
    public static func buildBlock(_ parts: [SaveHook]...) -> [SaveHook] { parts.flatMap(\.self) }
    /// Builds a list from an `if` without `else`.
    public static func buildOptional(_ part: [SaveHook]?) -> [SaveHook] { part ?? [] }
    /// Builds a list from the first branch of a condition.
    public static func buildEither(first part: [SaveHook]) -> [SaveHook] { part }
    /// Builds a list from the second branch of a condition.
    public static func buildEither(second part: [SaveHook]) -> [SaveHook] { part }
    /// Builds a list from a loop.
    public static func buildArray(_ parts: [[SaveHook]]) -> [SaveHook] { parts.flatMap(\.self) }
}

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

    /// Indicates whether a hook may change or reject records of a model before they are saved.
    func prepareRecords(of model: String) -> Bool { byModel[model]?.contains { $0.before != nil } ?? false }

    /// Runs all hooks before a save and returns the resulting record.
    func before(_ record: Record, of model: ModelSchema, _ context: SaveContext) async throws -> Record {
        var record = record
        for hook in byModel[model.name] ?? [] {
            guard let before = hook.before else { continue }
            record = Record(id: record.id, version: record.version, values: try await before(record, context))
        }
        return record
    }

    /// Runs all hooks after a save.
    ///
    /// - Parameter report: A closure that receives each error that a hook throws.
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
