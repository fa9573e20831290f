import AviaryData
import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Status report")
struct StatusReportTests {
    private let directory: TestDirectory
    private let served: ServerDirectory

    init() throws {
        directory = try TestDirectory()
        served = try ServerDirectory(StoreLocation(directory.path("data")))
        try Data(count: 3 << 20).write(to: URL(filePath: directory.path("data") + "/store.sqlite"))
        try Data(count: 1536).write(to: URL(filePath: directory.path("data") + "/store.sqlite-wal"))
    }

    private func report(store: Bool = true, answers: Bool = true, _ check: FileCheck = .notNeeded) -> StatusReport {
        StatusReport(
            processes: ProcessStatus(
                supervisor: getpid(), store: store ? .init(pid: 11, restarts: 2, isReady: true) : nil,
                workers: [.init(pid: 12, restarts: 0, isReady: true), .init(pid: 13, restarts: 1, isReady: false)]
            ),
            store: answers && store
                ? StoreStatus(
                    pid: 11, commits: 1234, batches: 9, waiting: 3, lastCommit: 5678, fileCheck: check,
                    measures: StoreMetrics(
                        flushes: BucketCounts(bounds: []), batchSizes: BucketCounts(bounds: []), recentCommits: 42,
                        historySize: 2048
                    )
                ) : nil,
            directory: served, figures: { $0 == getpid() ? ProcessMetricsSample($0) : nil }
        )
    }

    @Test("Problems found by a data check raise an alarm and come with advice")
    func dataCheck() throws {
        let file = DataCheckFile(served.path), time = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(!report().text.contains("data check"))
        func keep(_ problems: [String]) throws {
            try file.keep(
                DataCheckState(
                    interval: 86_400, since: time,
                    last: DataCheckReport(
                        endedAt: time, seconds: 1, records: 3, entries: 4, problems: problems,
                        problemCount: problems.count, areAllDerived: true)))
        }
        try keep([])
        #expect(report().text.contains("data check  ok, checked 2027-01-15T08:00:00.000Z"))
        #expect(!report().isAlarming)
        try keep(["The total of Animal is 4, and there are 3 records."])
        #expect(report().text.contains("The total of Animal is 4") && report().text.contains("Repair rebuilds"))
        #expect(report().isAlarming)
    }

    @Test("The store's metrics follow its process, in readable units")
    func figures() {
        let lines = report().text.split(separator: "\n")
        #expect(lines[0].wholeMatch(of: /supervisor  \d+, up .+, [\d.]+ [KMG]iB/) != nil, "\(lines[0])")
        #expect(
            lines[1...] == [
                "store       11, 2 restarts",
                "            1234 commits since it started, 42 in the last second, 3 waiting",
                "            file 3.0 MiB, write-ahead log 1.5 KiB, history 2.0 KiB, last commit 5678",
                "file check  not needed: clean shutdown",
                "worker      12, 0 restarts",
                "worker      13, 1 restarts, not ready yet",
            ])
    }

    @Test("Control and bidirectional characters are escaped in text and JSON")
    func hostileTexts() throws {
        var state = BackupState(interval: 3600, since: Date())
        state.lastSuccess = Date()
        state.lastFile = "a\u{1B}[2J\u{202E}b\nstore is fine"
        state.hookFailure = "\u{9B}31m"
        try SnapshotFolder(directory.path("data")).keep(state)
        let text = report().text
        #expect(text.contains(#"a\u{1B}[2J\u{202E}b\u{A}store is fine"#) && text.contains(#"failed: \u{9B}31m"#))
        let json = try report().json
        #expect(json.contains(#"a\u001b[2J\u202eb\nstore is fine"#) && json.contains(#"\u009b31m"#))
        let decoded = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect((decoded?["backups"] as? [String: Any])?["lastFile"] as? String == state.lastFile)
    }

    @Test("The report is alarming only when the store is gone, unresponsive or damaged")
    func alarming() {
        #expect(!report().isAlarming)
        #expect(
            !report(.running).isAlarming && !report(.ok(at: Date())).isAlarming
                && !report(.unfinished(reason: "")).isAlarming)
        #expect(report(.damaged(["row 1 missing"], at: Date())).isAlarming)
        #expect(report(answers: false).isAlarming)
        #expect(report(store: false).isAlarming)
        #expect(report(answers: false).text.contains("does not answer"))
        #expect(report(store: false).text.contains("store       not running"))
    }
}
