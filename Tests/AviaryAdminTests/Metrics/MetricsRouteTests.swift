import Foundation
import TestSupport
import Testing

@Suite("Metrics route")
struct MetricsRouteTests {
    private static let token = "a token of some length"

    private func withServer(_ flags: [String] = [], token: String? = token, _ body: (Server) async throws -> Void)
        async throws
    {
        let server = try await Server.start(
            flags: flags, environment: token.map { ["AVIARY_METRICS_TOKEN": $0] } ?? [:])
        do {
            try await body(server)
        } catch {
            await server.kill()
            throw error
        }
        await server.kill()
    }

    private func metrics(_ server: Server, _ authorization: String? = "Bearer \(token)", method: String = "GET")
        async throws -> Answer
    {
        try await Browser(strangerAt: server).send(
            method, "/metrics", headers: authorization.map { ["Authorization": $0] } ?? [:])
    }

    @Test("A request with the token gets metrics and no cookie")
    func permitted() async throws {
        try await withServer { server in
            for authorization in ["Bearer \(Self.token)", "bearer \(Self.token)"] {
                let answer = try await metrics(server, authorization)
                #expect(answer.status == 200)
                #expect(answer.contentType == "text/plain; version=0.0.4; charset=utf-8")
                #expect(answer.header("Cache-Control") == ["no-store"])
                #expect(answer.setCookies.isEmpty)
                #expect(answer.body.contains("\naviary_store_up 1\n"))
            }
            let head = try await metrics(server, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test("Requests that are rejected before they reach a route are counted by status")
    func refusedRequests() async throws {
        try await withServer { server in
            for _ in 0..<3 { _ = try await RawConnection.send(["GET /admin HTTP/1.1", "Host : a"], to: server.port) }
            _ = try await RawConnection.send(["GET /\(String(repeating: "a", count: 9000)) HTTP/1.1"], to: server.port)
            let text = try await metrics(server).source
            #expect(text.contains("\naviary_http_refused_total{status=\"400\"} 3\n"))
            #expect(text.contains("\naviary_http_refused_total{status=\"414\"} 1\n"))
        }
    }

    @Test("A request without the right token gets the same 404 as an unknown path")
    func refused() async throws {
        try await withServer { server in
            let nothing = try await Browser(server).get("/nothing")
            for authorization in [
                nil, "", "Bearer", "Bearer ", Self.token, "Basic \(Self.token)", "Bearer \(Self.token)x",
                "Bearer  \(Self.token)",
                "Bearer \(Self.token.dropLast())", "Bearer \(Self.token.uppercased())",
            ] {
                let answer = try await metrics(server, authorization)
                #expect(answer.status == 404, "\(authorization ?? "none")")
                #expect(answer.source == nothing.source)
                #expect(Set(answer.headers.map(\.name)) == Set(nothing.headers.map(\.name)))
            }
        }
    }

    @Test("Without a configured token, the public port has no metrics")
    func noToken() async throws {
        try await withServer(token: nil) { server in
            for authorization in [nil, "Bearer ", "Bearer \(Self.token)"] {
                let answer = try await metrics(server, authorization)
                #expect(answer.status == 404)
            }
        }
    }

    @Test("Probes set no cookie", arguments: ["/healthz", "/readyz"])
    func noCookie(path: String) async throws {
        try await withServer(token: nil) { server in
            let answer = try await Browser(server).get(path)
            #expect(answer.status == 200)
            #expect(answer.setCookies.isEmpty)
        }
    }

    @Test("The metrics port serves only health and metrics, without a token and only by IP address")
    func ownPort() async throws {
        try await withServer(["--metrics-port", "0"], token: nil) { server in
            let line = await server.program.firstLine()
            let port = try #require(
                line.firstMatch(of: /^Metrics are served at http:\/\/127\.0\.0\.1:(\d+)\/metrics$/).flatMap {
                    Int($0.1)
                }, "\(line)")
            #expect(port != server.port)
            func ask(_ request: String, host: String = "127.0.0.1") async throws -> String {
                try await RawConnection.send([request + " HTTP/1.1", "Host: \(host)", "Connection: close"], to: port)
            }
            let metrics = try await ask("GET /metrics")
            #expect(metrics.hasPrefix("HTTP/1.1 200 "))
            #expect(metrics.contains("aviary_store_up 1\n"))
            for path in ["/healthz", "/readyz"] { #expect(try await ask("GET \(path)").hasPrefix("HTTP/1.1 200 ")) }
            for path in ["/", "/admin", "/admin/animals", "/assets/x/aviary.css", "/metrics/", "//metrics"] {
                #expect(try await ask("GET \(path)").hasPrefix("HTTP/1.1 404 "), "\(path)")
            }
            for method in ["POST", "PUT", "DELETE", "TRACE"] {
                #expect(try await ask("\(method) /metrics").hasPrefix("HTTP/1.1 405 "), "\(method)")
            }
            for answer in [metrics, try await ask("GET /admin")] {
                #expect(!answer.lowercased().contains("set-cookie"))
                #expect(answer.lowercased().contains("cache-control: no-store"))
            }
            // A web page may point its own name to this machine.
            #expect(try await ask("GET /metrics", host: "collector.example").hasPrefix("HTTP/1.1 421 "))
            // The admin's own port still checks the host.
            #expect(
                try await RawConnection.send(
                    ["GET /readyz HTTP/1.1", "Host: collector.example", "Connection: close"], to: server.port
                ).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test("Paths, queries and unknown methods never become labels")
    func closedLabels() async throws {
        try await withServer { server in
            let browser = Browser(server)
            let before = try await series(server)
            for number in 0..<50 {
                _ = try await browser.get("/admin/animals/marker-\(number)?q=marker")
                _ = try await browser.get("/marker-\(number)/x")
                _ = try await browser.send("MARK\(number)", "/admin/animals")
                _ = try await browser.get("/assets/marker-\(number)/aviary.css")
            }
            let after = try await series(server)
            #expect(!after.contains { $0.lowercased().contains("mark") })
            #expect(after.count - before.count < 100, "\(after.count - before.count)")
            #expect(
                after.contains {
                    $0.hasPrefix(#"aviary_http_requests_total{method="GET",route="/admin/{model}/{id}",status="404"}"#)
                })
            #expect(
                after.contains { $0.hasPrefix(#"aviary_http_requests_total{method="GET",route="none",status="404"}"#) })
        }
    }

    private func figure(_ name: String, in lines: [String]) throws -> Double {
        try #require(lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test("The store metrics match the stored commits")
    func store() async throws {
        try await withServer { server in
            let browser = Browser(server)
            let first = try await browser.newAnimal("One")
            let before = try await series(server)
            #expect(try await browser.post("/admin/animals", first).status == 303)
            for name in ["Two", "Three"] { try await browser.addAnimal(name) }
            var lines: [String] = []
            // A commit is counted at about the time of its acknowledgement.
            try await eventually("all commits are counted") {
                lines = try await series(server)
                return try lines.contains("aviary_store_queue_depth 0")
                    && figure("aviary_store_commits_total", in: lines)
                        >= figure("aviary_store_commits_total", in: before) + 3
            }
            for name in ["aviary_store_commits_total", "aviary_store_batch_size_sum", "aviary_store_last_commit"] {
                #expect(try figure(name, in: lines) == figure(name, in: before) + 3, "\(name)")
            }
            #expect(lines.contains("aviary_store_queue_depth 0"))
            let batches = lines.first { $0.hasPrefix("aviary_store_batches_total ") }?.split(separator: " ").last
            #expect(lines.contains("aviary_store_flush_seconds_count \(batches ?? "?")"))
            for name in ["aviary_store_wait_seconds_count", "aviary_store_work_seconds_count"] {
                let series = name + #"{work="save"}"#
                #expect(try figure(series, in: lines) >= figure(series, in: before) + 3, "\(name)")
            }
            for name in [
                "aviary_store_file_bytes", "aviary_store_wal_bytes", "aviary_store_history_bytes",
                #"process_resident_memory_bytes{process="server"}"#,
            ] {
                let value = lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Double($0) }
                #expect(value ?? 0 > 100, "\(name)")
            }
        }
    }

    private func series(_ server: Server) async throws -> [String] {
        try await metrics(server).source.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }
}
