import Synchronization

/// What went wrong while the load was on, from all browsers.
final class Incidents: Sendable {
    private let list = Mutex(ViolationList())

    func add(_ kind: Violation.Kind, record: String? = nil, _ text: String) {
        list.withLock { $0.add(kind, record: record, text) }
    }

    /// Takes in what another process met.
    func add(contentsOf other: ViolationList) {
        list.withLock { $0.add(contentsOf: other) }
    }

    var violations: ViolationList { list.withLock { $0 } }
}
