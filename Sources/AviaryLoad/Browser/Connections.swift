/// A connection for each of those who act at a time, kept from the warm-up to the end.
struct Connections: Sendable {
    private let clients: [HTTPClient]

    init(count: Int) {
        clients = (0..<max(1, count)).map { _ in HTTPClient(maximumConnections: 1) }
    }

    /// For what is asked beside the load.
    var first: HTTPClient { self[0] }

    /// - Parameter person: from 0.
    subscript(person: Int) -> HTTPClient { clients[person % clients.count] }

    func shutdown() async {
        for client in clients { await client.shutdown() }
    }
}
