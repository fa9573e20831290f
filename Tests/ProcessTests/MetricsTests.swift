import Foundation
import TestSupport
import Testing

extension ServedApplications {
    @Suite("Metrics of all processes")
    struct MetricsTests {
        private static let token = "only for these tests"

        private func withServer(
            _ program: Program = .zoo, _ flags: [String] = [], _ body: (Server) async throws -> Void
        ) async throws {
            try await TestDirectory.use { directory in
                try await body(
                    try await Server.start(
                        program, in: directory, flags: flags, environment: ["AVIARY_METRICS_TOKEN": Self.token]
                    ))
            }
        }

        /// Returns the value of a series in the text, or 0 when the series is missing.
        ///
        /// Each call uses a connection of its own, which any of the workers may accept. A worker waits for a second
        /// for the store, which may be too short on a busy machine, so the page is read until it has the store's part.
        private func value(_ series: String, of server: Server) async throws -> Int {
            var text = ""
            try await eventually("the store answered the worker") {
                text = try await Browser(server).getAlone(
                    "/metrics", headers: ["Authorization": "Bearer \(Self.token)"]
                ).source
                return text.contains("\naviary_store_up 1\n")
            }
            let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
            return line?.split(separator: " ").last.flatMap { Double($0) }.map(Int.init) ?? 0
        }

        private static let lists = #"aviary_http_requests_total{method="GET",route="/admin/{model}",status="200"}"#
        private static let times = #"aviary_http_request_duration_seconds_count{method="GET",route="/admin/{model}"}"#

        /// Sends requests until each of the workers has answered some, and returns their number.
        private func askAll(_ server: Server, atLeast count: Int) async throws -> Int {
            try await askBoth(server, atLeast: count).asked
        }

        /// Sends requests until both workers have answered. Also returns the marks of the processes that answered.
        private func askBoth(_ server: Server, atLeast count: Int) async throws -> (asked: Int, marks: Set<String>) {
            let browser = Browser(server)
            var (asked, marks) = (0, Set<String>())
            try await eventually("both workers have answered") {
                let answer = try await browser.getAlone("/admin/animals")
                #expect(answer.status == 200)
                asked += 1
                marks.insert(Self.mark(answer))
                return asked >= count && marks.count == 2
            }
            return (asked, marks)
        }

        /// Returns the first half of a request's id, which identifies the process.
        private static func mark(_ answer: Answer) -> String {
            String(answer.header("X-Request-Id").first?.prefix(12) ?? "")
        }

        @Test("Every worker returns the sum of the requests that all workers answered")
        func sums() async throws {
            try await withServer { server in
                let asked = try await askAll(server, atLeast: 20)
                try await eventually("all requests were counted") { try await value(Self.lists, of: server) == asked }
                for _ in 0..<20 {
                    #expect(try await value(Self.lists, of: server) == asked)
                    #expect(try await value(Self.times, of: server) == asked)
                }
                #expect(try await value(#"aviary_workers{state="serving"}"#, of: server) == 2)
                for name in ["supervisor", "store", "worker-1", "worker-2"] {
                    // The page omits the memory of a worker that has not reported for three seconds.
                    try await eventually("the memory of \(name) is told") {
                        try await value("process_resident_memory_bytes{process=\"\(name)\"}", of: server) > 1 << 20
                    }
                }
            }
        }

        @Test("Requests that a killed worker reported remain counted, and the restart is counted")
        func killed() async throws {
            try await withServer { server in
                let asked = try await askAll(server, atLeast: 20)
                try await eventually("all requests were counted") { try await value(Self.lists, of: server) == asked }
                let family = try await server.complete()
                family.workers[0].send(SIGKILL)
                family.workers[1].send(SIGKILL)
                _ = try await server.complete(restarts: 2)
                #expect(try await value(Self.lists, of: server) == asked)
                let more = try await askAll(server, atLeast: 10)
                try await eventually("the new ones' were added") {
                    try await value(Self.lists, of: server) == asked + more
                }
                let restarts = try await value(#"aviary_process_restarts_total{process="worker-1"}"#, of: server)
                #expect(restarts == 1)
            }
        }

        @Test("A drained worker reports all its requests")
        func drained() async throws {
            try await withServer { server in
                let family = try await server.complete()
                let asked = try await askAll(server, atLeast: 20)
                for worker in family.workers { worker.send(SIGTERM) }
                try await eventually("both were started again") {
                    server.family.map { $0.isComplete && $0.pids.isDisjoint(with: family.workers.map(\.pid)) } ?? false
                }
                try await eventually("the old ones' were counted") { try await value(Self.lists, of: server) == asked }
            }
        }

        @Test("Counters do not decrease when the store is killed")
        func storeKilled() async throws {
            try await withServer { server in
                let asked = try await askAll(server, atLeast: 20)
                try await eventually("all requests were counted") { try await value(Self.lists, of: server) == asked }
                let store = try await server.store()
                store.send(SIGKILL)
                _ = try await server.complete(restarts: 1)
                // A page waits for the workers' reports, but not forever. If they take long, the page may be
                // incomplete.
                if !Explore.isOn {
                    try await eventually("both workers have reported to the new store") {
                        try await value(Self.lists, of: server) >= asked
                    }
                }
                for _ in 0..<20 { #expect(try await value(Self.lists, of: server) == asked) }
                #expect(try await value(#"aviary_process_restarts_total{process="store"}"#, of: server) == 1)
            }
        }

        @Test("Counters do not decrease when a worker and soon after it the store are killed")
        func workerAndStoreKilled() async throws {
            try await withServer { server in
                let (asked, marks) = try await askBoth(server, atLeast: 20)
                try await eventually("all requests were counted") { try await value(Self.lists, of: server) == asked }
                let family = try await server.complete()
                family.workers[0].send(SIGKILL)
                _ = try await server.complete(restarts: 1)
                // When the store gets a report, it looks for processes that have ended, but at most every fifth of
                // a second. It then informs the other worker, which reports when it makes a page.
                try await Task.sleep(for: .milliseconds(250))
                try await eventually("the worker that stayed has made a page") {
                    let page = try await Browser(server).getAlone(
                        "/metrics", headers: ["Authorization": "Bearer \(Self.token)"])
                    return marks.contains(Self.mark(page)) && page.source.contains("\naviary_store_up 1\n")
                }
                family.store?.send(SIGKILL)
                _ = try await server.complete(restarts: 2)
                try await eventually("both workers had reported to the new store") {
                    try await value(Self.lists, of: server) >= asked
                }
                for _ in 0..<20 { #expect(try await value(Self.lists, of: server) == asked) }
            }
        }

        @Test("While the store does not answer, a worker reports its own metrics and is not ready but healthy")
        func storeStopped() async throws {
            try await withServer { server in
                let browser = Browser(server)
                _ = try await browser.get("/healthz")
                let store = try await server.store()
                store.send(SIGSTOP)
                try await eventually("the store was stopped") { ProcessTable.entry(store.pid)?.isStopped == true }
                let answer = try await browser.getAlone("/metrics", headers: ["Authorization": "Bearer \(Self.token)"])
                #expect(answer.status == 200)
                #expect(answer.body.contains("\naviary_store_up 0\n"))
                #expect(answer.body.contains("process_resident_memory_bytes"))
                #expect(!answer.body.contains("aviary_store_commits_total"))
                #expect(try await browser.getAlone("/readyz").status == 503)
                #expect(try await browser.getAlone("/healthz").status == 200)
                let status = try await server.run("status", "--json")
                #expect(status.exitCode == 1)
                #expect(try status.json(StatusTests.Report.self).store.answers == false)
                store.send(SIGCONT)
                try await eventually("the store answered") { try await browser.getAlone("/readyz").status == 200 }
                try await eventually("metrics said so") { try await value("aviary_store_up", of: server) == 1 }
            }
        }

        @Test("The workers serve the metrics port")
        func ownPort() async throws {
            try await withServer(.zoo, ["--metrics-port", "0"]) { server in
                let line = await server.program.firstLine()
                let port = try #require(
                    line.firstMatch(of: /^Metrics are served at http:\/\/127\.0\.0\.1:(\d+)\/metrics$/).map { $0.1 })
                let watched = Server(
                    program: server.program, directory: server.directory, port: try #require(Int(port)))
                try await eventually("the store answers a worker in time") {
                    let answer = try await Browser(watched).getAlone("/readyz")
                    #expect(answer.setCookies.isEmpty)
                    return answer.status == 200
                }
                for path in ["/metrics", "/healthz"] {
                    let answer = try await Browser(watched).getAlone(path)
                    #expect(answer.status == 200 && answer.setCookies.isEmpty)
                }
                #expect(try await Browser(watched).getAlone("/admin").status == 404)
            }
        }

        @Test("Metrics of the application are summed over all workers")
        func ownMetrics() async throws {
            try await withServer(.extendedZoo) { server in
                for _ in 0..<40 { #expect(try await Browser(server).getAlone("/counted").status == 204) }
                try await eventually("all were counted") {
                    try await value(#"zoo_visits_total{gate="north"}"#, of: server) == 40
                }
            }
        }

        @Test("The error ID on an error page identifies the log line with the cause")
        func reference() async throws {
            try await withServer(.extendedZoo, ["--log-format", "json"]) { server in
                let answer = try await Browser(server).get("/broken")
                #expect(answer.status == 500)
                let reference = try #require(
                    answer.source.firstMatch(of: /Error ID <code>([0-9a-f]+)<\/code>/).map { String($0.1) })
                #expect(answer.header("X-Request-Id") == [reference])
                struct Event: Decodable {
                    struct Metadata: Decodable {
                        let request: String?
                        let route: String?
                        let error: String?
                    }

                    let level: String
                    let process: String
                    let metadata: Metadata?
                }

                let events = try server.errors().split(separator: "\n").map {
                    try JSONDecoder().decode(Event.self, from: Data($0.utf8))
                }
                let lines = events.filter { $0.metadata?.request == reference }
                #expect(lines.count == 1)
                #expect(lines.first?.level == "error" && lines.first?.process == "worker")
                #expect(lines.first?.metadata?.route == "/broken")
                #expect(lines.first?.metadata?.error?.contains("Broken") == true)
                #expect(try !server.errors().contains("secret value"))
            }
        }

        @Test("All processes of a server log in the configured format with their role")
        func roles() async throws {
            try await withServer(.zoo, ["--log-format", "json", "--log-level", "info"]) { server in
                let family = try await server.complete()
                family.workers[0].send(SIGKILL)
                _ = try await server.complete(restarts: 1)
                await server.stop()
                struct Event: Decodable {
                    let ts: String
                    let level: String
                    let process: String
                    let pid: Int32
                    let msg: String
                }

                let events = try server.errors().split(separator: "\n").map {
                    try JSONDecoder().decode(Event.self, from: Data($0.utf8))
                }
                #expect(events.allSatisfy { $0.ts.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil })
                let supervisor = events.filter { $0.process == "supervisor" }
                #expect(supervisor.allSatisfy { $0.pid == server.supervisor })
                #expect(supervisor.contains { $0.msg.hasPrefix("worker 1 ") && $0.level == "warning" })
            }
        }
    }
}
