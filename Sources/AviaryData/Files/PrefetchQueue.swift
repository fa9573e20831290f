import AviaryDomain
import Dispatch
import Foundation
import Synchronization

/// A queue of elements that a thread of its own prefetches, so that producer and consumer work at the same time.
final class PrefetchQueue<Element: Sendable>: Sendable {
    private struct State {
        var ready: [(element: Element, places: Int)] = []
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    // The semaphore starts at zero and is counted up: a semaphore must not be destroyed below its initial value.
    private let room = DispatchSemaphore(value: 0)
    private let arrived = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isAbandoned = Atomic(false)
    private let places: Int

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - places: The capacity of the queue.
    ///   - make: A function that runs on the new thread with the priority of the caller. Its error follows its
    ///     elements.
    init(places: Int = 4, _ make: @escaping @Sendable (PrefetchQueue) throws -> Void) {
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

    /// Adds an element when there is room for it.
    ///
    /// - Parameter size: The number of places that it takes. An element larger than the capacity waits until it is
    ///   alone.
    /// - Throws: `CancellationError` after the consumer has stopped.
    func hand(over element: Element, size: Int = 1) throws {
        let taken = min(max(size, 1), places)
        for _ in 0..<taken { room.wait() }
        guard !isAbandoned.load(ordering: .acquiring) else { throw CancellationError() }
        state.withLock { $0.ready.append((element, taken)) }
        arrived.signal()
    }

    /// Returns the next element; nil after the last one.
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
