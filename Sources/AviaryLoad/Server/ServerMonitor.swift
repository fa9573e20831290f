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

/// The sums of a server's metrics over several scrapes.
///
/// The counters of a process that was killed restart at zero. The totals keep its counts up to the last scrape.
struct ServerTotals: Sendable {
    private var totals: [Key: Double] = [:]
    private var last: [Key: Double] = [:]
    private var mostMemory: [String: Double] = [:]
    private var versions: [String: String] = [:]
    private var hasBegun = false

    private struct Key: Hashable {
        let name: String
        let labels: [String: String]
    }

    mutating func take(_ samples: [PrometheusSample]) {
        for sample in samples {
            let key = Key(name: sample.name, labels: sample.labels)
            switch sample.name {
            case "process_resident_memory_bytes":
                let process = sample.labels["process"] ?? ""
                mostMemory[process] = max(mostMemory[process] ?? 0, sample.value)
            case "aviary_build_info":
                versions = sample.labels.filter { $0.key != "application" }
            default:
                if hasBegun {
                    let before = last[key] ?? 0
                    totals[key, default: 0] += sample.value >= before ? sample.value - before : sample.value
                }
                last[key] = sample.value
            }
        }
        hasBegun = true
    }

    /// Returns the figures since the first scrape.
    ///
    /// - Parameter durability: The durability of the store's file.
    func figures(durability: String) -> ServerStatistics {
        let processes = Set(
            totals.keys.filter { $0.name == "process_cpu_seconds_total" }.compactMap { $0.labels["process"] })
        let flushes = total("aviary_store_flush_seconds_count")
        return ServerStatistics(
            members: processes.sorted().map { process in
                ServerStatistics.Member(
                    process: process, processorSeconds: total("process_cpu_seconds_total", ["process": process]),
                    mostMemory: mostMemory[process] ?? 0
                )
            },
            flushes: total("aviary_store_batches_total"), changeSets: total("aviary_store_commits_total"),
            meanFlush: flushes > 0 ? total("aviary_store_flush_seconds_sum") / flushes * 1000 : nil,
            mostFlush: bound(of: "aviary_store_flush_seconds", share: 0.99).map { $0 * 1000 },
            batchSizes: buckets("aviary_store_batch_size").map {
                ServerStatistics.BatchSize(upTo: $0.bound.isFinite ? $0.bound : nil, count: $0.count)
            },
            durability: durability, versions: versions
        )
    }

    private func total(_ name: String, _ labels: [String: String] = [:]) -> Double {
        totals[Key(name: name, labels: labels)] ?? 0
    }

    /// Returns the non-empty buckets of a histogram, each with its own count instead of the cumulative one.
    private func buckets(_ name: String) -> [(bound: Double, count: Double)] {
        let cumulative = totals.filter { $0.key.name == name + "_bucket" }.compactMap { key, value in
            key.labels["le"].flatMap { $0 == "+Inf" ? .infinity : Double($0) }.map { (bound: $0, count: value) }
        }.sorted { $0.bound < $1.bound }
        var below = 0.0
        return cumulative.compactMap { bucket in
            defer { below = bucket.count }
            return bucket.count > below ? (bucket.bound, bucket.count - below) : nil
        }
    }

    private func bound(of name: String, share: Double) -> Double? {
        let buckets = buckets(name)
        let wanted = buckets.reduce(0) { $0 + $1.count } * share
        var sum = 0.0
        for bucket in buckets {
            sum += bucket.count
            if sum >= wanted { return bucket.bound.isFinite ? bucket.bound : nil }
        }
        return nil
    }
}

/// The figures that a self-hosted server reports about itself for the measured time.
struct ServerStatistics: Sendable {
    struct Member: Sendable, Hashable, Encodable {
        let process: String
        /// The processor time of the process.
        let processorSeconds: Double
        /// The highest memory use that was seen, in bytes.
        let mostMemory: Double
    }

    let members: [Member]
    /// The number of transactions that reached the disk. `changeSets` is the number of change sets in them.
    let flushes: Double
    let changeSets: Double
    /// The average time for a transaction to reach the disk, in milliseconds; `mostFlush` is the 99th percentile.
    let meanFlush: Double?
    let mostFlush: Double?
    /// The sizes of the batches, as the buckets of a histogram.
    let batchSizes: [BatchSize]
    /// The durability of the store's file.
    let durability: String
    /// The versions of Swift, SQLite and other components that the server reports.
    let versions: [String: String]

    struct BatchSize: Sendable, Hashable, Encodable {
        /// The upper bound of the number of change sets; nil for the last bucket, which has no bound.
        let upTo: Double?
        let count: Double
    }

    var processorSeconds: Double { members.reduce(0) { $0 + $1.processorSeconds } }
    var mostMemory: Double { members.reduce(0) { $0 + $1.mostMemory } }
    /// The average number of change sets for each flush.
    var meanBatch: Double? { flushes > 0 ? changeSets / flushes : nil }
}

/// A sample line of the `/metrics` output.
struct PrometheusSample: Sendable, Hashable {
    let name: String
    /// The labels between the braces.
    let labels: [String: String]
    let value: Double

    /// Returns the samples of a text. Other lines are skipped.
    static func all(in text: String) -> [PrometheusSample] {
        text.split(separator: "\n").compactMap { PrometheusSample($0) }
    }

    init?(_ line: Substring) {
        guard !line.hasPrefix("#"), let space = line.lastIndex(of: " "),
            let value = Double(line[line.index(after: space)...])
        else { return nil }
        self.value = value
        let head = line[..<space]
        guard let brace = head.firstIndex(of: "{"), head.hasSuffix("}") else {
            name = String(head)
            labels = [:]
            return
        }
        name = String(head[..<brace])
        var labels: [String: String] = [:]
        // The labels of Aviary's own metrics contain neither commas nor quotes.
        for pair in head[head.index(after: brace)...].dropLast().split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 {
                labels[String(sides[0])] =
                    sides[1].trimmingPrefix("\"").suffix(1) == "\""
                    ? String(sides[1].dropFirst().dropLast()) : String(sides[1])
            }
        }
        self.labels = labels
    }
}
