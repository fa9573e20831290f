/// What a process of the server is there for.
enum Role: Sendable, Hashable, CustomStringConvertible {
    case store
    /// The place of a worker, from 0.
    case worker(Int)

    var isWorker: Bool { self != .store }

    /// Of a worker, as people count; nil for the store.
    var number: Int? {
        if case .worker(let index) = self { index + 1 } else { nil }
    }

    var description: String {
        number.map { "worker \($0)" } ?? "store"
    }
}
