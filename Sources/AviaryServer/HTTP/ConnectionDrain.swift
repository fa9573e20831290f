import NIOCore

/// Ends a server's connections without failing a request.
///
/// From ``begin(linger:)`` on every answer says `Connection: close`, and the connection ends with it. A connection without
/// a request is waited for a little longer, for what its client may have sent before it could know; then it is closed,
/// unless a request is waiting in the system already. A connection that is set up later has the same time from then on.
struct ConnectionDrain: Sendable {
    let connections: [OpenConnections]

    func begin(linger: Duration) {
        for connections in connections { connections.drain(linger: TimeAmount(linger)) }
    }
}
