/// The limits of the history: the models whose changes the store keeps, for how long, and in how many bytes.
///
/// ```swift
/// struct Zoo: AviaryApp {
///     var history: HistoryPolicy { HistoryPolicy(maximumAge: .seconds(30 * 86_400)).excluding(Friend.self) }
/// }
/// ```
///
/// The policy does not affect receipts: the store recognizes a repeated change set for 8 days.
public struct HistoryPolicy: Sendable, Hashable {
    /// The greatest age of an entry. The store deletes older entries, the oldest first.
    public let maximumAge: Duration
    /// The approximate greatest size of all entries, in bytes. Above it, the store deletes the oldest entries.
    public let maximumSize: Int
    /// The names of the models whose changes the store does not keep. Commits of these models cannot be undone.
    public private(set) var excludedModels: Set<String> = []

    /// Creates a policy for all models.
    ///
    /// - Parameters:
    ///   - maximumAge: The greatest age of an entry; a year by default.
    ///   - maximumSize: The approximate greatest size of all entries, in bytes; 1 GiB by default.
    public init(maximumAge: Duration = .seconds(365 * 86_400), maximumSize: Int = 1 << 30) {
        self.maximumAge = maximumAge
        self.maximumSize = maximumSize
    }

    /// Returns a copy of the policy that excludes a model.
    ///
    /// - Parameter model: The model whose changes the store does not keep.
    public func excluding<M: Model>(_ model: M.Type) -> HistoryPolicy {
        excluding(M.modelName)
    }

    package func excluding(_ model: String) -> HistoryPolicy {
        var copy = self
        copy.excludedModels.insert(model)
        return copy
    }

    /// The policy without the models that never have a history: temporary models, and the audit log, which is itself
    /// a record of events.
    package var withoutPassingModels: HistoryPolicy {
        Schema.builtIn.filter { $0.snapshotContent == .nothing }.reduce(excluding(AuditEvent.modelName)) {
            $0.excluding($1.name)
        }
    }
}
