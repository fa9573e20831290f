import Synchronization

/// A number that many threads count up and down.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        number.add(amount, ordering: .relaxed).newValue
    }

    func raise(to value: Int) {
        number.max(value, ordering: .relaxed)
    }
}
