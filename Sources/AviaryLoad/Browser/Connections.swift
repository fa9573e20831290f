import NIOCore

/// A connection for each of those who act at a time, kept from the warm-up to the end.
struct Connections: Sendable {
    private let clients: [HTTPClient]
    /// The client that signs in. A server hashes a password for a good part of a second, and for several in a debug build
    /// on a busy machine.
    let entrance = HTTPClient(maximumConnections: 1, patience: .seconds(60))

    init(count: Int) {
        clients = (0..<max(1, count)).map { _ in HTTPClient(maximumConnections: 1) }
    }

    /// The client for requests beside the load.
    var first: HTTPClient { self[0] }

    /// - Parameter person: from 0.
    subscript(person: Int) -> HTTPClient { clients[person % clients.count] }

    func shutdown() async {
        await entrance.shutdown()
        for client in clients { await client.shutdown() }
    }
}
