import AviaryDomain

/// The numbers of the commits that last changed each model, by which the store recognizes that a change set relies on
/// reads that are outdated.
///
/// It is in memory only. Changes that it does not know are assumed: after the start of the store, a lost
/// transaction, a long change and a restore, every model counts as changed in the newest commit.
struct LastModelCommits {
    /// The newest commit that it knows; nil if it must begin again.
    private var newest: Int64?
    /// The commit in which every model may have changed.
    private var start: Int64 = 0
    private var commits: [String: Int64] = [:]

    /// Notes a commit that follows the position at which ``isCurrent(_:at:)`` or this method was called last.
    mutating func note(_ models: Set<String>, changedBy commit: Int64) {
        follow(commit - 1)
        for model in models { commits[model] = commit }
        newest = commit
    }

    /// Indicates whether no commit after those of a basis has changed one of its models.
    ///
    /// - Parameter position: The newest commit, which may be that of the open transaction.
    mutating func isCurrent(_ basis: ReadBasis, at position: Int64) -> Bool {
        follow(position)
        return basis.commit >= start && basis.models.allSatisfy { commits[$0] ?? start <= basis.commit }
    }

    /// Begins again after changes that were not noted.
    mutating func forget() { newest = nil }

    private mutating func follow(_ position: Int64) {
        guard newest != position else { return }
        start = position
        commits = [:]
        newest = position
    }
}
