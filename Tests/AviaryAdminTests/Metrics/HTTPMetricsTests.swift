import AviaryMetrics
import HTTPTypes
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("HTTP metrics")
struct HTTPMetricsTests {
    private let registry = MetricsRegistry(MetricDescription.all)

    private func text() -> String { PrometheusText.render(registry.snapshot) }

    @Test("Requests are counted by route, method and status, and timed by route and method")
    func counted() {
        let metrics = HTTPMetrics(registry)
        for status in [200, 200, 503] {
            metrics.began()
            metrics.ended(route: "/admin/{model}", method: .get, status: status, after: .milliseconds(2))
        }
        #expect(text().contains(#"aviary_http_requests_total{method="GET",route="/admin/{model}",status="200"} 2"#))
        #expect(text().contains(#"aviary_http_requests_total{method="GET",route="/admin/{model}",status="503"} 1"#))
        #expect(text().contains(#"_bucket{method="GET",route="/admin/{model}",le="0.001"} 0"#))
        #expect(text().contains(#"_bucket{method="GET",route="/admin/{model}",le="0.0025"} 3"#))
        #expect(text().contains("aviary_http_requests_in_flight 0\n"))
    }

    @Test("Requests without a route and unknown methods share one label each")
    func closed() throws {
        let metrics = HTTPMetrics(registry)
        for number in 0..<100 {
            metrics.began()
            metrics.ended(
                route: "none", method: try #require(HTTPRequest.Method("X\(number)")), status: 404, after: .zero)
        }
        #expect(text().contains(#"aviary_http_requests_total{method="other",route="none",status="404"} 100"#))
        #expect(!text().contains("X1"))
    }
}
