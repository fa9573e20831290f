import AsyncHTTPClient

/// A connection for each of those who act at a time, kept from the warm-up to the end.
struct Connections: Sendable {
    private let clients: [HTTPClient]

    init(count: Int) {
        clients = (0..<max(1, count)).map { _ in .forLoad() }
    }

    /// For what is asked beside the load.
    var first: HTTPClient { self[0] }

    /// - Parameter person: from 0.
    subscript(person: Int) -> HTTPClient { clients[person % clients.count] }

    /// - Throws: what the last of them throws that cannot be shut down.
    func shutdown() async throws {
        var failure: (any Error)?
        for client in clients {
            do {
                try await client.shutdown()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
