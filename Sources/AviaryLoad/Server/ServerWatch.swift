import Foundation
import NIOCore
import NIOHTTP1

/// Asks a server every second what it says of itself.
actor ServerWatch {
    private let client: HTTPClient
    private let address: String
    private let durability: String
    private var totals = ServerTotals()

    private static let interval = Duration.seconds(1)

    init(client: HTTPClient, address: String, durability: String) {
        self.client = client
        self.address = address
        self.durability = durability
    }

    /// Until it is cancelled.
    func run(from start: ContinuousClock.Instant) async {
        do {
            try await ContinuousClock().sleep(until: start)
            while true {
                await look()
                try await Task.sleep(for: Self.interval)
            }
        } catch {
            // Cancelled: the load is over.
        }
    }

    func look() async {
        do {
            let response = try await client.send(HTTPClient.Request(url: address))
            guard response.status == .ok else { return }
            totals.take(PrometheusSample.all(in: String(buffer: response.body)))
        } catch {
            // A server that was just killed: it is asked again in a second.
        }
    }

    /// Of the time since the first look.
    var figures: ServerFigures { totals.figures(durability: durability) }
}
