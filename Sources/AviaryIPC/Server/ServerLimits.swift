import NIOCore

/// What clients of the store's socket may ask of it, so that none can hurt the others.
package struct ServerLimits: Sendable {
    /// Of the first frame, before it is known who sends it.
    package var largestHello = 1024 * 1024
    /// Of a worker, which sends what a form holds.
    package var largestFormFrame = 16 * 1024 * 1024
    /// Of others, such as commands, whose change sets may be longer than a form's.
    package var largestFrame = 256 * 1024 * 1024
    /// Within which a client must have said who it is.
    package var handshake: Duration = .seconds(5)
    /// Within which a frame that has begun must be complete, and within which some answers must be read.
    package var transfer: Duration = .seconds(30)
    /// Requests of one client that are not answered; behind them nothing is read from it.
    package var requestsInFlight = 2048
    /// Of all clients; what comes beyond is answered that the store is busy.
    package var allRequestsInFlight = 8192
    package var allBytesInFlight = 512 * 1024 * 1024
    package var connections = 512
    /// Within which what is under way is answered when the server ends.
    package var drain: Duration = .seconds(2)

    package init() {}

    func largestFrame(of client: ClientIdentity) -> Int {
        client.kind == .worker ? largestFormFrame : largestFrame
    }
}
