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
