/// What the store remembers of changes, and for how long.
///
/// ```swift
/// struct Zoo: AviaryApp {
///     var history: HistoryPolicy { HistoryPolicy(maximumAge: .seconds(30 * 86_400)).excluding(Friend.self) }
/// }
/// ```
///
/// Whatever the policy, the store can tell for 8 days whether it has a change set already.
public struct HistoryPolicy: Sendable, Hashable {
    /// Entries older than this go, oldest first.
    public let maximumAge: Duration
    /// How many bytes the entries may take, about; beyond it the oldest go.
    public let maximumSize: Int
    /// Names of the models whose changes are not kept, and so cannot be undone.
    public private(set) var excludedModels: Set<String> = []

    /// - Parameters:
    ///   - maximumAge: A year unless given.
    ///   - maximumSize: In bytes; 1 GiB unless given.
    public init(maximumAge: Duration = .seconds(365 * 86_400), maximumSize: Int = 1 << 30) {
        self.maximumAge = maximumAge
        self.maximumSize = maximumSize
    }

    /// The policy without the model's changes.
    public func excluding<M: Model>(_ model: M.Type) -> HistoryPolicy {
        excluding(M.modelName)
    }

    package func excluding(_ model: String) -> HistoryPolicy {
        var copy = self
        copy.excludedModels.insert(model)
        return copy
    }

    /// The policy without the models of which no history is ever kept: what passes by itself, and what is itself a record of
    /// what happened.
    package var withoutPassingModels: HistoryPolicy {
        Schema.builtIn.filter { $0.snapshotContent == .nothing }.reduce(excluding(AuditEvent.modelName)) {
            $0.excluding($1.name)
        }
    }
}
