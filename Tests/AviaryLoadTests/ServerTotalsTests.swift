import Testing

@testable import AviaryLoad

@Suite("Totals of server metrics across kills") struct ServerTotalsTests {
    private func figures(_ pages: String...) -> ServerStatistics {
        var totals = ServerTotals()
        for page in pages { totals.take(PrometheusSample.all(in: page)) }
        return totals.figures(durability: "WAL")
    }

    @Test("Samples are parsed with their labels, and comments and invalid lines are skipped")
    func samples() {
        let samples = PrometheusSample.all(
            in: """
                # HELP process_cpu_seconds_total seconds
                process_cpu_seconds_total{process="worker-1"} 1.5
                aviary_store_flush_seconds_bucket{le="+Inf"} 12
                aviary_store_batches_total 4
                nonsense
                """)
        #expect(
            samples.map(\.name) == [
                "process_cpu_seconds_total", "aviary_store_flush_seconds_bucket", "aviary_store_batches_total",
            ])
        #expect(samples.first?.labels == ["process": "worker-1"] && samples.first?.value == 1.5)
        #expect(samples.dropFirst().first?.labels == ["le": "+Inf"])
    }

    @Test("Counts before the first scrape are excluded")
    func before() {
        let figures = figures(
            "aviary_store_batches_total 1000\naviary_store_commits_total 5000",
            "aviary_store_batches_total 1010\naviary_store_commits_total 5040"
        )
        #expect(figures.flushes == 10 && figures.changeSets == 40 && figures.meanBatch == 4)
    }

    @Test("The counts of a killed process and of its successor are added")
    func kills() {
        let figures = figures(
            "aviary_store_batches_total 100", "aviary_store_batches_total 130", "aviary_store_batches_total 5",
            "aviary_store_batches_total 7"
        )
        #expect(figures.flushes == 37)
    }

    @Test("A new process counts from zero, and processor time is reported for each process")
    func newcomers() {
        let figures = figures(
            "process_cpu_seconds_total{process=\"store\"} 3",
            "process_cpu_seconds_total{process=\"store\"} 4\nprocess_cpu_seconds_total{process=\"worker-1\"} 2"
        )
        #expect(
            figures.members.map(\.process) == ["store", "worker-1"]
                && figures.members.map(\.processorSeconds) == [1, 2])
    }

    @Test("The maximum memory is reported")
    func memory() {
        let figures = figures(
            "process_cpu_seconds_total{process=\"store\"} 1\nprocess_resident_memory_bytes{process=\"store\"} 10",
            "process_cpu_seconds_total{process=\"store\"} 1\nprocess_resident_memory_bytes{process=\"store\"} 30",
            "process_cpu_seconds_total{process=\"store\"} 1\nprocess_resident_memory_bytes{process=\"store\"} 20"
        )
        #expect(figures.members.map(\.mostMemory) == [30])
    }

    @Test("Batch sizes and the 99th percentile of flushes are derived from cumulative buckets")
    func buckets() {
        func page(_ sizes: (Int, Int, Int), _ flushes: (Int, Int)) -> String {
            """
            aviary_store_batch_size_bucket{le="1"} \(sizes.0)
            aviary_store_batch_size_bucket{le="8"} \(sizes.1)
            aviary_store_batch_size_bucket{le="+Inf"} \(sizes.2)
            aviary_store_flush_seconds_bucket{le="0.001"} \(flushes.0)
            aviary_store_flush_seconds_bucket{le="0.01"} \(flushes.1)
            """
        }
        let figures = figures(page((5, 5, 5), (0, 0)), page((8, 9, 11), (90, 100)))
        #expect(figures.batchSizes == [.init(upTo: 1, count: 3), .init(upTo: 8, count: 1), .init(upTo: nil, count: 2)])
        #expect(figures.mostFlush == 10)
    }
}
