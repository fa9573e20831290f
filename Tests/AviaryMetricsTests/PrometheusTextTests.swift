import AviaryMetrics
import CoreMetrics
import Testing

@Suite("Prometheus text format")
struct PrometheusTextTests {
    private let registry = MetricsRegistry([
        MetricDescription("requests_total", .counter, "Requests,\nby \\ route."),
        MetricDescription("wait_seconds", .histogram, "Waits.", bounds: [0.1, 1]),
    ])

    private var text: String { PrometheusText.render(registry.snapshot) }

    private func families() throws -> [String: PrometheusParser.Family] { try PrometheusParser.parse(text) }

    @Test("A counter has a help text, a type and a line for each series")
    func counter() {
        Counter(label: "requests", dimensions: [("route", "/b")], factory: registry).increment(by: 2)
        Counter(label: "requests_total", dimensions: [("route", "/a")], factory: registry).increment()
        #expect(
            text == """
                # HELP requests_total Requests,\\nby \\\\ route.
                # TYPE requests_total counter
                requests_total{route="/a"} 1
                requests_total{route="/b"} 2

                """)
    }

    @Test("A timer is a histogram of seconds with cumulative buckets")
    func timer() {
        let timer = Timer(label: "wait", factory: registry)
        for milliseconds in [50, 100, 500, 3000] { timer.recordMilliseconds(milliseconds) }
        #expect(
            text == """
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="0.1"} 2
                wait_seconds_bucket{le="1"} 3
                wait_seconds_bucket{le="+Inf"} 4
                wait_seconds_sum 3.65
                wait_seconds_count 4

                """)
    }

    @Test("A gauge can decrease, and can be infinite or NaN")
    func gauge() throws {
        let meter = Meter(label: "open", factory: registry)
        meter.increment(by: 3)
        meter.decrement()
        Gauge(label: "odd", factory: registry).record(Double.nan)
        Gauge(label: "endless", factory: registry).record(-Double.infinity)
        let families = try families()
        #expect(families["open"]?.samples.map(\.value) == [2])
        #expect(families["odd"]?.samples.first?.value.isNaN == true)
        #expect(families["endless"]?.samples.map(\.value) == [-.infinity])
    }

    @Test(
        "A label can have any value",
        arguments: [
            "\"", "\\", "\n", "\\n", "\"\u{301}", "\r\n", "a\",b=\"c", "}", "", "ключ", "\u{2028}",
        ])
    func hostile(value: String) throws {
        Counter(label: "seen", dimensions: [("what", value)], factory: registry).increment()
        let sample = try #require(try families()["seen_total"]?.samples.first)
        #expect(
            Array(sample.labels["what"].map { $0.unicodeScalars } ?? "".unicodeScalars) == Array(value.unicodeScalars))
    }

    @Test(
        "An invalid name is converted to a valid one",
        arguments: [
            ("http.server.requests", "http_server_requests_total"), ("9lives", "_9lives_total"), ("", "unnamed_total"),
            ("naïve", "na_ve_total"), ("a b{c}", "a_b_c__total"), ("x:y", "x:y_total"),
            ("evil\n# TYPE", "evil___TYPE_total"),
        ])
    func names(label: String, name: String) throws {
        Counter(label: label, dimensions: [("http.route", "/"), ("le", "1"), ("__name__", "x")], factory: registry)
            .increment()
        #expect(try families()[name]?.samples.map(\.labels) == [["http_route": "/", "le_": "1", "label__name__": "x"]])
    }

    @Test("Labels whose names become equal form one series")
    func collisions() throws {
        Counter(label: "a.b", dimensions: [("x", "1"), ("x", "2")], factory: registry).increment()
        Counter(label: "a_b", dimensions: [("x", "1")], factory: registry).increment()
        #expect(try families()["a_b_total"]?.samples.map(\.value) == [2])
    }

    @Test("A name that is in use by another kind of metric is rejected")
    func kinds() throws {
        Timer(label: "work", factory: registry).recordSeconds(1)
        Gauge(label: "work_seconds", factory: registry).record(7)
        Gauge(label: "work_seconds_count", factory: registry).record(7)
        FloatingPointCounter(label: "half", factory: registry).increment(by: 0.5)
        Counter(label: "half", factory: registry).increment()
        let families = try families()
        #expect(Set(families.keys) == ["work_seconds", "half_total"])
        #expect(families["half_total"]?.samples.map(\.value) == [0.5])
        #expect(registry.refusals == 3)
    }

    @Test("Series above the limit are rejected, and existing series continue to count")
    func bounded() throws {
        let small = MetricsRegistry(seriesLimit: 2)
        for name in ["a", "b", "c", "a"] { Counter(label: "n", dimensions: [("of", name)], factory: small).increment() }
        let samples = try #require(
            try PrometheusParser.parse(PrometheusText.render(small.snapshot))["n_total"]?.samples)
        #expect(samples.map(\.labels) == [["of": "a"], ["of": "b"]])
        #expect(samples.map(\.value) == [2, 1])
        #expect(small.refusals == 1)
    }

    @Test("A counter never decreases")
    func monotone() throws {
        let counter = Counter(label: "n", factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -3)
        counter.reset()
        counter.destroy()
        Counter(label: "n", factory: registry).increment()
        #expect(try families()["n_total"]?.samples.map(\.value) == [6])
    }

    @Test("Concurrent updates are all recorded")
    func concurrent() async throws {
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        Counter(label: "n", factory: registry).increment()
                        FloatingPointCounter(label: "f", factory: registry).increment(by: 0.5)
                        Timer(label: "t", dimensions: [("task", "\(task)")], factory: registry).recordMilliseconds(1)
                    }
                }
            }
        }
        let families = try families()
        #expect(families["n_total"]?.samples.map(\.value) == [8000])
        #expect(families["f_total"]?.samples.map(\.value) == [4000])
        #expect(
            families["t_seconds"]?.samples.filter { $0.name == "t_seconds_count" }.map(\.value)
                == Array(repeating: 1000, count: 8))
    }

    @Test(
        "The parser of the tests rejects invalid text",
        arguments: [
            "a 1\n", "# TYPE a counter\na 1", "# TYPE a counter\na 1\na 1\n", "# TYPE a counter\nb 1\n",
            "# TYPE a counter\na -1\n",
            "# TYPE a counter\na{x=\"1\",x=\"2\"} 1\n", "# TYPE a counter\na{x=\"\\t\"} 1\n",
            "# TYPE a counter\na one\n",
            "# TYPE a counter\n# TYPE a counter\n", "# HELP b c\n# TYPE a counter\n", "# TYPE 1a counter\n", "\n",
            "# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
            "# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
            "# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n",
        ])
    func strict(text: String) {
        #expect(throws: PrometheusParser.Mistake.self) { try PrometheusParser.parse(text) }
    }
}
