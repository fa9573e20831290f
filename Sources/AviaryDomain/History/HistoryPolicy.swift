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

    /// Returns a copy of the policy with other bounds. A bound that is nil stays as it is.
    package func bounded(age: Duration?, size: Int?) -> HistoryPolicy {
        var copy = HistoryPolicy(maximumAge: age ?? maximumAge, maximumSize: size ?? maximumSize)
        copy.excludedModels = excludedModels
        return copy
    }

    /// The policy without the models that never have a history: temporary models, and the audit log, which is itself
    /// a record of events.
    package var excludingTransientModels: HistoryPolicy {
        Schema.builtIn.filter { $0.snapshotContent == .nothing }.reduce(excluding(AuditEvent.modelName)) {
            $0.excluding($1.name)
        }
    }
}

/// A bound of the history, beyond which the oldest entries are removed.
package enum HistoryBound: Sendable, Hashable {
    /// The greatest age of an entry, by the clock of the store.
    case age(Duration)
    /// The number of newest entries to keep. All entries of a commit are kept or removed together.
    case entries(Int)
}

/// The entries of the history that are beyond a bound.
package struct HistoryTrimReport: Sendable, Hashable, Codable {
    /// The number of entries beyond the bound.
    package let removed: Int
    /// The number of entries within the bound.
    package let kept: Int
    /// The newest commit whose entries are beyond the bound; nil when there is none.
    package let lastCommit: Int64?

    package init(removed: Int, kept: Int, lastCommit: Int64?) {
        self.removed = removed
        self.kept = kept
        self.lastCommit = lastCommit
    }
}
