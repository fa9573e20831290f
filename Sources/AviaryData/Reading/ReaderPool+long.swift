import AviaryDomain

extension ReaderPool {
    /// Longer than any export or search takes that somebody still waits for.
    package static let longReadLimit: Duration = .seconds(60)

    /// Runs the body with a connection of its own on a thread of its own. A bounded number of these work at a time, and
    /// others wait for their turn. Ends soon after the task is cancelled: SQLite's work is interrupted.
    ///
    /// - Parameter timeLimit: For the wait and for the work, each.
    /// - Throws: ``ReadError``, ``EngineError``, and what the body throws.
    package func readLong<T: Sendable>(
        timeLimit: Duration = longReadLimit, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await readLong(timeLimit: timeLimit, in: longReads, body)
    }

    /// - Parameter queue: Where it waits for its turn.
    func readLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        let interruption = Interruption()
        try await queue.enter(waitingAtMost: timeLimit, unless: interruption)
        defer { queue.leave() }
        try await waitForLog(atMost: timeLimit)
        let watch = LogWatch(log, ending: interruption)
        do {
            return try await withTaskCancellationHandler {
                try await BlockingWork.run {
                    // Cancelled before the thread began; a body may do much before SQLite is asked for the first time.
                    guard !interruption.isRequested else { throw ReadError.cancelled }
                    return try self.read(within: timeLimit, unless: interruption, body)
                }
            } onCancel: {
                interruption.request()
            }
        } catch ReadError.cancelled where watch.hasEndedRead {
            throw ReadError.heldLog
        }
    }

    /// Until the store has emptied its log, which it does as soon as no read holds it.
    private func waitForLog(atMost limit: Duration) async throws(ReadError) {
        let end = ContinuousClock.now + limit
        while log.isTooLargeToBegin {
            guard .now < end else { throw .heldLog }
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { throw .cancelled }
        }
    }

    private static let pauseBetweenLooks: Duration = .milliseconds(50)

    /// For reads that are short for the most part: in place, and when that takes too long once more as a long one.
    package func readShortOrLong<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws
        -> T
    {
        try await readShortOrLong(timeLimit: Self.longReadLimit, in: longReads, body)
    }

    /// - Parameters:
    ///   - timeLimit: For the wait and for the work of the long read, each.
    ///   - queue: The queue in which the long read waits for its turn.
    func readShortOrLong<T: Sendable>(
        timeLimit: Duration, in queue: LongReadQueue, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        do {
            return try read(within: attemptLimit, body)
        } catch ReadError.tookTooLong {
            return try await readLong(timeLimit: timeLimit, in: queue, body)
        }
    }

    /// As long as others on the thread can do without it.
    package static let attemptLimit: Duration = .milliseconds(50)
}
