import Synchronization

/// Names of records by id, gathered by several clients.
final class Names: Sendable {
    private let names = Mutex<[String: String]>([:])

    var all: [String: String] { names.withLock { $0 } }
    var count: Int { names.withLock { $0.count } }

    /// How many there are now.
    @discardableResult
    func add(_ form: Form) -> Int {
        names.withLock { names in
            names[form["id"] ?? ""] = form["name"]
            return names.count
        }
    }
}
