import Histogram
import Synchronization
import Testing

@testable import AviaryLoad

@Suite("Custom load actions", .serialized)
struct OwnActionTests {
    private func run(_ action: LoadAction, at lie: FakeAdmin.Lie? = nil) async throws -> LoadResult {
        try await FakeAdmin(lie).serve { origin in
            let plan = try LoadPlan(
                scenario: LoadScenario("own", [action: 1]), connections: 2, duration: .milliseconds(1),
                leastActions: 20, model: "animals")
            return try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run()
        }
    }

    @Test("A custom action requests pages and submits forms under its own step names")
    func own() async throws {
        let result = try await run(
            LoadAction("look") { visitor in
                let page = try await visitor.get("/admin/animals/new", step: "open")
                #expect(page.status == 200 && page.body.contains("<form"))
                let answer = try await visitor.submit(page, to: "/admin/animals/draft/discard", step: "cancel")
                #expect(answer.status == 303)
            })
        #expect(result.isGood, "\(result.violations.counts)")
        #expect(Set(result.latencies.keys) == ["look", "look.open", "look.cancel"])
        #expect(result.measurements.all.totalCount == UInt64(result.measurements.actions))
    }

    @Test("A reported problem or a thrown error fails the run")
    func failures() async throws {
        #expect(
            try await run(LoadAction("report") { $0.report("The aviary is empty.") }).violations.first.first?.text
                == "The aviary is empty.")
        let thrown = try await run(
            LoadAction("throw") {
                _ = try await $0.submit(try await $0.get("/admin/animals", step: "list"), to: "/nowhere", step: "x")
            })
        #expect(thrown.violations.counts[.unexpected, default: 0] > 0)
    }

    @Test("An outage that lasts longer than expected fails the run")
    func endlessOutage() async throws {
        let result = try await FakeAdmin(nil).serve { origin in
            // The text before the @ is the name of a user, so the request is for a port on which nothing listens.
            let action = LoadAction("away") { _ = try await $0.get("@127.0.0.1:1/", step: "page") }
            let plan = try LoadPlan(
                scenario: LoadScenario("own", [action: 1]), connections: 1, duration: .milliseconds(1),
                leastActions: 1, outage: .milliseconds(200), model: "animals")
            return try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run()
        }
        #expect(result.violations.first.contains { $0.text.contains("GET @127.0.0.1:1/ failed for") })
    }

    private static let lives = Atomic(0)

    /// An action that adds a record, renames it, and deletes every second one.
    private static let life = LoadAction("life") { visitor in
        let number = lives.wrappingAdd(1, ordering: .relaxed).newValue
        let sheet = try await visitor.get("/admin/animals/new", step: "open")
        let saved = try await visitor.submit(
            sheet, to: "/admin/animals", filling: ["name": "Okapi \(number)"], step: "add")
        guard saved.status == 303, let record = visitor.records.last else {
            return visitor.report("Nothing was added.")
        }
        let editor = try await visitor.get("/admin/animals/\(record)", step: "edit")
        if editor.status == 200 {
            _ = try await visitor.submit(
                editor, to: "/admin/animals/\(record)", filling: ["name": "Zebra \(record)"], step: "save")
        }
        guard number.isMultiple(of: 2) else { return }
        let question = try await visitor.get("/admin/animals/delete?id=\(record)", step: "ask")
        _ = try await visitor.submit(question, to: "/admin/animals/delete", step: "delete")
        if visitor.records.contains(record) { visitor.report("A record that was deleted is still one's own.") }
    }

    @Test("Writes of a custom action are entered in the ledger")
    func writes() async throws {
        let result = try await run(Self.life)
        #expect(result.isGood, "\(result.violations.first)")
        #expect(result.counts.acknowledged > 2 && result.counts.attempted == result.counts.acknowledged)
    }

    @Test(
        "A fault that affects a custom action is detected",
        arguments: [
            (FakeAdmin.Lie.forgets, Violation.Kind.lost), (.ignoresEdits, .reverted), (.ignoresDeletes, .resurrected),
            (.duplicates, .duplicated),
        ])
    func lies(_ lie: FakeAdmin.Lie, _ kind: Violation.Kind) async throws {
        #expect(try await run(Self.life, at: lie).violations.counts[kind, default: 0] > 0)
    }

    @Test("In a run with kills, only a missing response is tolerated")
    func forgiven() async throws {
        struct Trouble: Error {}
        func incidents(_ error: any Error) async -> Int {
            let client = HTTPClient(maximumConnections: 1)
            let (recorder, incidents) = (Recorder(start: .now, duration: .seconds(1)), ViolationLog())
            var person = VirtualUser(
                browser: Browser(client: client, origin: "http://127.0.0.1:1", recorder: recorder),
                scenario: LoadScenario("own", [LoadAction("trouble") { _ in throw error }: 1]),
                listPath: "/admin/animals",
                outage: .seconds(30), ledger: Ledger(), incidents: incidents, name: "x"
            )
            await person.act(at: ClosedLoop(start: .now, end: .now, least: 1))
            await client.shutdown()
            return incidents.violations.count
        }
        #expect(await incidents(NoResponse(CancellationError())) == 0)
        #expect(await incidents(Trouble()) == 1)
    }
}
