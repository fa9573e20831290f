import AviaryDomain
import Foundation
import Logging
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Scheduled data checks")
struct DataCheckServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let good = DataCheckReport(
        endedAt: now, seconds: 1, records: 3, entries: 4, problems: [], problemCount: 0, areAllDerived: true)

    private struct Broken: Error {}

    private func service(
        _ storage: FakeDataChecks, isInterrupted: Bool = false,
        _ check: @escaping @Sendable () async throws -> DataCheckReport
    ) -> DataCheckService {
        DataCheckService(
            interval: 86_400, storage: storage, logger: Logger(label: "test"),
            work: DataCheckWork(run: check, interrupt: {}, isInterrupted: { isInterrupted }), now: { Self.now })
    }

    @Test("The result of a data check is saved and clears an earlier failure")
    func found() async {
        var state = DataCheckState(interval: 86_400, since: Self.now - 86_400)
        state.failure = "It was broken."
        let storage = FakeDataChecks()
        await service(storage) { Self.good }.check(&state)
        #expect(storage.dataCheckState()?.last == Self.good)
        #expect(storage.dataCheckState()?.warning == nil)
    }

    @Test("A failed data check warns and keeps the last result, and an interrupted one does not warn")
    func unfinished() async {
        var state = DataCheckState(interval: 86_400, since: Self.now, last: Self.good)
        let storage = FakeDataChecks()
        await service(storage, isInterrupted: true) { throw Broken() }.check(&state)
        #expect(storage.dataCheckState() == nil && state.failure == nil)
        await service(storage) { throw Broken() }.check(&state)
        #expect(storage.dataCheckState()?.last == Self.good)
        #expect(storage.dataCheckState()?.warning?.hasPrefix("The last data check didn’t finish") == true)
    }

    @Test("The first data check is due one interval after the start, and also when the clock was set back")
    func dueTimes() {
        let state = DataCheckState(interval: 100, since: Self.now)
        #expect(!state.isDue(at: Self.now + 99) && state.isDue(at: Self.now + 100) && state.isDue(at: Self.now - 61))
    }

    @Test("The warning names the first problem, and the report lists all with advice")
    func problems() {
        let report = DataCheckReport(
            endedAt: Self.now, seconds: 1, records: 3, entries: 4, problems: ["One.", "Two."], problemCount: 2,
            areAllDerived: true)
        let state = DataCheckState(interval: 100, since: Self.now, last: report)
        #expect(state.warning == "The last data check found 2 problems: One.")
        let words = report.words(command: "zoo", flags: "--data /data")
        #expect(words.contains("  One.\n  Two.\n") && words.contains("zoo repair --data /data"))
    }
}

private final class FakeDataChecks: DataCheckStorage {
    private let state = Mutex<DataCheckState?>(nil)

    func dataCheckState() -> DataCheckState? { state.withLock { $0 } }
    func keep(_ state: DataCheckState?) throws { self.state.withLock { $0 = state } }
}
