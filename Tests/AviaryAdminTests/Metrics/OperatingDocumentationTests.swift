import AviaryMetrics
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Documentation of metrics")
struct OperatingDocumentationTests {
    private struct Row: Hashable {
        let name: String
        let kind: String
        let labels: Set<String>
    }

    private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/operating.md")

    private func documented() throws -> [Row] {
        try String(contentsOf: Self.url, encoding: .utf8)
            .matches(of: /(?m)^\| `([a-z_]+)` \| (counter|gauge|histogram) \| ([^|]*)\|/).map { match in
                Row(
                    name: String(match.1), kind: String(match.2),
                    labels: Set(match.3.matches(of: /`([a-z]+)`/).map { String($0.1) })
                )
            }
    }

    @Test("The documented table lists every metric once, sorted and with its kind")
    func described() throws {
        let rows = try documented()
        #expect(rows.map(\.name) == rows.map(\.name).sorted())
        #expect(rows.map { "\($0.name) \($0.kind)" } == MetricDescription.all.map { "\($0.name) \($0.kind)" }.sorted())
    }

    @Test("A server exports exactly the documented metrics and labels")
    func exported() async throws {
        let server = try await Server.start(environment: [
            "AVIARY_METRICS_TOKEN": Self.token, "AVIARY_BACKUP_EVERY": "1h",
        ])
        _ = try await Browser(server).get("/admin")
        let browser = Browser(server)
        var text = ""
        // A request is counted after its response was sent.
        try await eventually("the request is counted") {
            text = try await browser.get("/metrics", headers: ["Authorization": "Bearer \(Self.token)"]).source
            return text.contains("\naviary_http_requests_total{")
        }
        await server.kill()
        var exported: [String: Row] = [:]
        for match in text.matches(of: /(?m)^# TYPE ([^ ]+) ([a-z]+)$/) {
            let name = String(match.1)
            let labels = text.matches(of: #/(?m)^([a-z_]+)(?:\{(.*)\})? [0-9]/#)
                .filter { [name, name + "_bucket", name + "_count"].contains(String($0.1)) }
                .flatMap { ($0.2 ?? "").matches(of: /([a-z]+)="/).map { String($0.1) } }
            exported[name] = Row(name: name, kind: String(match.2), labels: Set(labels).subtracting(["le"]))
        }
        // Tests/Database reads the metrics of a database.
        let wanted = try documented().filter { !$0.name.hasPrefix("aviary_database_") }
        for row in wanted { #expect(exported[row.name] == row, "\(row)") }
        #expect(exported.count == wanted.count)
    }

    private static let token = "only for this test"
}
