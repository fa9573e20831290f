import AviaryDomain
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Restore plans in a terminal")
struct RestorePlanTextTests {
    private func text(now: Int?) throws -> String {
        let summary = SnapshotSummary(
            path: nil, app: "Shelter", createdAt: "2026-10-20T12:34:56.789Z", commit: 1, records: 0, counts: [:],
            sha256: ""
        )
        let plan = RestorePlan(
            snapshot: summary, models: [RestorePlan.Model(name: "Other", now: now, then: 2)], steps: [], accounts: []
        )
        return RestorePlanText(plan, schema: try Schema([]), isDone: false).text
    }

    @Test("The plan shows the snapshot's time and warns that the history will be lost")
    func history() throws {
        let text = try text(now: 1)
        #expect(text.contains("from 2026-10-20T12:34:56.789Z."))
        #expect(text.contains("Other: 1 now, 2 then"))
        #expect(
            text.contains(
                "It doesn’t contain the history. Activity starts empty, and earlier changes can’t be undone."
            ))
    }

    @Test("The plan escapes control characters in the description of an account")
    func forged() throws {
        let summary = SnapshotSummary(
            path: nil, app: "Shelter", createdAt: "2026-10-20T12:34:56.789Z", commit: 1, records: 0, counts: [:],
            sha256: "")
        let effect = AccountEffect("eve", .added(role: "viewer\u{1B}[2K\r\u{1B}[1A\u{1B}[2K\nada", isDisabled: false))
        let plan = RestorePlan(snapshot: summary, models: [], steps: [], accounts: [effect])
        let text = RestorePlanText(plan, schema: try Schema([]), isDone: false).text
        #expect(
            text.split(separator: "\n").last
                == #"  eve will be added again as viewer\u{1B}[2K\u{D}\u{1B}[1A\u{1B}[2K\u{A}ada"#)
    }

    @Test("Without a store, the plan does not mention the history")
    func noStore() throws {
        #expect(try !text(now: nil).contains("history"))
    }
}
