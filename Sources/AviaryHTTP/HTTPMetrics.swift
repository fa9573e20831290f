package import AviaryMetrics
package import CoreMetrics
package import HTTPTypes
import Synchronization

/// The metrics of HTTP requests.
///
/// All labels come from closed sets: a label has the route that matched, never the request's path.
package final class HTTPMetrics: Sendable {
    private struct ResponseLabels: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Question: Hashable {
        let route: String
        let method: String
    }

    private struct Instruments {
        var counters: [ResponseLabels: Counter] = [:]
        var timers: [Question: Timer] = [:]
        var refusals: [Int: Counter] = [:]

        mutating func counter(_ answer: ResponseLabels, _ factory: any MetricsFactory) -> Counter {
            if let known = counters[answer] { return known }
            let made = Counter(
                label: MetricDescription.requests.name,
                dimensions: [("route", answer.route), ("method", answer.method), ("status", String(answer.status))],
                factory: factory
            )
            counters[answer] = made
            return made
        }

        mutating func refusal(_ status: Int, _ factory: any MetricsFactory) -> Counter {
            if let known = refusals[status] { return known }
            let made = Counter(
                label: MetricDescription.refusedRequests.name, dimensions: [("status", String(status))],
                factory: factory
            )
            refusals[status] = made
            return made
        }

        mutating func timer(_ question: Question, _ factory: any MetricsFactory) -> Timer {
            if let known = timers[question] { return known }
            let made = Timer(
                label: MetricDescription.requestDuration.name,
                dimensions: [("route", question.route), ("method", question.method)], factory: factory
            )
            timers[question] = made
            return made
        }
    }

    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let factory: any MetricsFactory
    private let inFlight: Meter
    private let connections: Meter
    private let instruments = Mutex(Instruments())

    package init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: MetricDescription.requestsInFlight.name, factory: factory)
        connections = Meter(label: MetricDescription.connections.name, factory: factory)
        // The counter exists from the start, so that the first rejected request appears as an increase.
        instruments.withLock { _ = $0.refusal(ConnectionError.incomplete.status.code, factory) }
    }

    func connectionBegan() {
        connections.increment()
    }

    func connectionEnded() {
        connections.decrement()
    }

    /// Counts input that was not a valid request, or that was too late or too large.
    func refused(status: Int) {
        instruments.withLock { $0.refusal(status, factory) }.increment()
    }

    package func began() {
        inFlight.increment()
    }

    package func ended(route: String, method: HTTPRequest.Method, status: Int, after duration: Duration) {
        inFlight.decrement()
        let method = Self.methods.contains(method.rawValue) ? method.rawValue : "other"
        let (counter, timer) = instruments.withLock { instruments in
            (
                instruments.counter(ResponseLabels(route: route, method: method, status: status), factory),
                instruments.timer(Question(route: route, method: method), factory)
            )
        }
        counter.increment()
        timer.recordNanoseconds(duration.nanoseconds)
    }
}

extension Duration {
    var nanoseconds: Int64 {
        components.seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue + components.attoseconds
            / 1_000_000_000
    }

    package var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}

// The table in docs/operating.md explains these metrics.
extension MetricDescription {
    package static let requests = MetricDescription(
        "aviary_http_requests_total", .counter, "Requests answered, by route, method and status."
    )
    package static let refusedRequests = MetricDescription(
        "aviary_http_refused_total", .counter, "Requests refused before they could be read to their end, by status."
    )
    package static let requestDuration = MetricDescription(
        "aviary_http_request_duration_seconds", .histogram,
        "Time from a request's head to the answer's, by route and method.", bounds: standardBounds
    )
    package static let requestsInFlight = MetricDescription(
        "aviary_http_requests_in_flight", .gauge, "Requests at work now.")

    package static let connections = MetricDescription(
        "aviary_http_connections", .gauge, "Connections that are open now.")
}
