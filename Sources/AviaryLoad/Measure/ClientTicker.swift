import NIOCore

/// Measures how late this process comes to what it has to do, whoever loads it: a hundred times a second it is due to be seen
/// by the tasks' threads and by an event loop, through which every answer passes as well. Who comes seconds late comes late to
/// all that was due in them.
struct ClientTicker: Sendable {
    let recorder: Recorder
    let eventLoops: any EventLoopGroup

    private static let interval = Duration.milliseconds(10)

    /// From the start of what counts, until it is cancelled.
    func run() async {
        var due = recorder.start
        do {
            while true {
                try await ContinuousClock().sleep(until: due, tolerance: .zero)
                try await eventLoops.next().submit {}.get()
                let now = ContinuousClock.now
                while due <= now {
                    recorder.recordLateness(now - due)
                    due += Self.interval
                }
            }
        } catch {
            // Cancelled: the load is over.
        }
    }
}
