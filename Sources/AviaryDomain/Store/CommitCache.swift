import Synchronization

/// A version of the store's contents. It changes with each commit of any process.
///
/// Only versions of one source can be compared. A later version is larger.
package struct StoreVersion: Sendable, Hashable, Comparable {
    private let connection: Int
    private let number: Int64

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - connection: The number of the source's connection to the store. Its numbers of commits begin again with a
    ///     new one.
    ///   - number: The number of commits that the connection has met.
    package init(connection: Int, number: Int64) {
        self.connection = connection
        self.number = number
    }

    package static func < (left: StoreVersion, right: StoreVersion) -> Bool {
        (left.connection, left.number) < (right.connection, right.number)
    }
}

/// A source of the current version of the store.
package protocol StoreVersionSource: Sendable {
    /// The current version; nil if the store cannot be asked now. A result must not be kept or used then.
    var version: StoreVersion? { get }
}

/// A bounded cache of results of reads, each valid until the next commit of the store.
///
/// The cache never returns a result that is older than an acknowledged change: it compares the version of the
/// store from before the read with the current one.
///
/// ```swift
/// guard let version = cache.version else { return try read(id) }
/// if let value = cache.value(id, in: version) { return value }
/// let value = try read(id)
/// cache.keep(value, for: id, since: version)
/// ```
package final class CommitCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var version: StoreVersion?
        var values: [Key: Value] = [:]
        var cost = 0
    }

    private let source: any StoreVersionSource
    private let limit: Int
    private let cost: @Sendable (Value) -> Int
    private let state = Mutex(State())

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - limit: The largest sum of the costs of all values. When it is reached, the cache begins again.
    ///   - cost: A function that returns the cost of a value, for example its size in bytes; 1 by default.
    package init(_ source: any StoreVersionSource, limit: Int, cost: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        self.source = source
        self.limit = limit
        self.cost = cost
    }

    /// The current version of the store; nil if it cannot be asked. Take it before the read whose result is kept.
    package var version: StoreVersion? { source.version }

    /// Returns the value of a key that a read found in a version of the store.
    package func value(_ key: Key, in version: StoreVersion) -> Value? {
        state.withLock { $0.version == version ? $0.values[key] : nil }
    }

    /// Keeps a value that was read after the store had a version.
    package func keep(_ value: Value, for key: Key, since version: StoreVersion) {
        let cost = cost(value)
        guard cost <= limit else { return }
        state.withLock { state in
            if let kept = state.version, version < kept { return }
            if state.version != version { state = State(version: version) }
            if let replaced = state.values.removeValue(forKey: key) { state.cost -= self.cost(replaced) }
            if state.cost + cost > limit { state = State(version: version) }
            state.values[key] = value
            state.cost += cost
        }
    }
}
