import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// Elements that a thread of its own makes, a few ahead of who takes them, so that both are at work at the same time.
final class ReadAhead<Element: Sendable>: Sendable {
    private struct State {
        var ready: [(element: Element, places: Int)] = []
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    // Counted up from nothing: a semaphore must not end below what it began with.
    private let room = DispatchSemaphore(value: 0)
    private let arrived = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isAbandoned = Atomic(false)
    private let places: Int

    /// - Parameters:
    ///   - places: For what has been made and not been taken.
    ///   - make: On the new thread, whose priority is that of the caller's; what it throws comes after what it made.
    init(places: Int = 4, _ make: @escaping @Sendable (ReadAhead) throws -> Void) {
        self.places = places
        for _ in 0..<places { room.signal() }
        let work = Language.carried { [self] in try make(self) }
        Thread.detachNewThread { [self] in
            let result = Result(catching: work)
            state.withLock { $0.result = result }
            arrived.signal()
            ended.signal()
        }
    }

    /// Hands an element over, once there is room for it.
    ///
    /// - Parameter size: The places that it takes; one that is larger than all of them waits until it is alone.
    /// - Throws: `CancellationError` when nobody wants it any more.
    func hand(over element: Element, size: Int = 1) throws {
        let taken = min(max(size, 1), places)
        for _ in 0..<taken { room.wait() }
        guard !isAbandoned.load(ordering: .acquiring) else { throw CancellationError() }
        state.withLock { $0.ready.append((element, taken)) }
        arrived.signal()
    }

    /// The next element; nil when there is none any more.
    func next() throws -> Element? {
        arrived.wait()
        let next = state.withLock { $0.ready.isEmpty ? nil : $0.ready.removeFirst() }
        if let next {
            for _ in 0..<next.places { room.signal() }
            return next.element
        }
        arrived.signal()
        try state.withLock { $0.result }?.get()
        return nil
    }

    /// Stops the work. Nothing is produced after the method returns.
    func abandon() {
        isAbandoned.store(true, ordering: .releasing)
        for _ in 0..<places { room.signal() }
        ended.wait()
        ended.signal()
    }
}
