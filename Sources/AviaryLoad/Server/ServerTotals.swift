/// What a server says of itself again and again, added up where it grows.
///
/// A process that was killed begins at nothing again: what it had counted until it was last asked stays counted.
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

    /// Of the time since the first look.
    ///
    /// - Parameter durability: as the store has opened its file.
    func figures(durability: String) -> ServerFigures {
        let processes = Set(
            totals.keys.filter { $0.name == "process_cpu_seconds_total" }.compactMap { $0.labels["process"] })
        let flushes = total("aviary_store_flush_seconds_count")
        return ServerFigures(
            members: processes.sorted().map { process in
                ServerFigures.Member(
                    process: process, processorSeconds: total("process_cpu_seconds_total", ["process": process]),
                    mostMemory: mostMemory[process] ?? 0
                )
            },
            flushes: total("aviary_store_batches_total"), changeSets: total("aviary_store_commits_total"),
            meanFlush: flushes > 0 ? total("aviary_store_flush_seconds_sum") / flushes * 1000 : nil,
            mostFlush: bound(of: "aviary_store_flush_seconds", share: 0.99).map { $0 * 1000 },
            batchSizes: buckets("aviary_store_batch_size").map {
                ServerFigures.BatchSize(upTo: $0.bound.isFinite ? $0.bound : nil, count: $0.count)
            },
            durability: durability, versions: versions
        )
    }

    private func total(_ name: String, _ labels: [String: String] = [:]) -> Double {
        totals[Key(name: name, labels: labels)] ?? 0
    }

    /// Those that are not empty, each without the ones below it.
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

/// What a server of our own says of itself, over the time that counts.
struct ServerFigures: Sendable {
    struct Member: Sendable, Hashable, Encodable {
        let process: String
        /// Of processors.
        let processorSeconds: Double
        /// The most that was seen, in bytes.
        let mostMemory: Double
    }

    let members: [Member]
    /// Transactions that reached the disk, and the change sets in them.
    let flushes: Double
    let changeSets: Double
    /// What a transaction took to reach the disk, in milliseconds: on average, and below which 99 of 100 were.
    let meanFlush: Double?
    let mostFlush: Double?
    /// Upper bounds of the sizes of batches, each with how many were no larger and larger than the one before.
    let batchSizes: [BatchSize]
    /// As the store has opened its file.
    let durability: String
    /// Of Swift, SQLite or whatever else the server names.
    let versions: [String: String]

    struct BatchSize: Sendable, Hashable, Encodable {
        /// Change sets; nil for more than any bound.
        let upTo: Double?
        let count: Double
    }

    var processorSeconds: Double { members.reduce(0) { $0 + $1.processorSeconds } }
    var mostMemory: Double { members.reduce(0) { $0 + $1.mostMemory } }
    /// Change sets that shared one flush.
    var meanBatch: Double? { flushes > 0 ? changeSets / flushes : nil }
}

/// One line of what `/metrics` says.
struct PrometheusSample: Sendable, Hashable {
    let name: String
    /// As they stand between the braces.
    let labels: [String: String]
    let value: Double

    /// Lines that are no samples are left out.
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
        // Our own labels hold neither commas nor quotes.
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
