import Foundation
import NIOCore
import NIOHTTP1

/// A task that scrapes the metrics of a server every second.
actor ServerMonitor {
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

    /// Runs until the task is cancelled.
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
            // The server was just killed. The next scrape follows in a second.
        }
    }

    /// The figures since the first scrape.
    var figures: ServerStatistics { totals.figures(durability: durability) }
}

/// The processes of a server, decoded from the output of its `status` command.
struct ServerStatus: Sendable, Decodable {
    struct Member: Sendable, Decodable {
        let pid: Int32
        let restarts: Int?
        let ready: Bool?
    }

    let supervisor: Member
    let store: Member?
    let workers: [Member]

    /// Indicates whether all processes are ready, so that none is restarting.
    func isComplete(workers count: Int) -> Bool {
        store?.ready == true && workers.count == count && workers.allSatisfy { $0.ready == true }
    }

    var restarts: Int {
        workers.reduce(store?.restarts ?? 0) { $0 + ($1.restarts ?? 0) }
    }

    func members(_ target: KillTarget) -> [KillTargetProcess] {
        let stores = store.map { [KillTargetProcess(name: "store", pid: $0.pid)] } ?? []
        let workers = workers.map { KillTargetProcess(name: "worker", pid: $0.pid) }
        switch target {
        case .store: return stores
        case .worker: return workers
        case .any: return stores + workers
        }
    }
}
