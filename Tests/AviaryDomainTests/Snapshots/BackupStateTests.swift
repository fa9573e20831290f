import AviaryDomain
import Foundation
import Testing

@Suite("Backups: when somebody should look")
struct BackupStateTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let state = BackupState(interval: 3600, since: start)

    @Test("The first is due at once, the next an interval after the last")
    func due() {
        var state = state
        #expect(state.nextDue == Self.start)
        state.lastSuccess = Self.start + 10
        #expect(state.nextDue == Self.start + 3610)
    }

    @Test("It is late half an interval over the time, not before")
    func late() {
        var state = state
        state.lastSuccess = Self.start
        #expect(state.warning(at: Self.start + 5400) == nil)
        #expect(state.warning(at: Self.start + 5401) == "The next backup is late.")
        #expect(self.state.warning(at: Self.start + 5401) == "No backup was taken yet.")
    }

    @Test("What failed is told: first the backup, then the command after it")
    func failed() {
        var state = state
        state.lastSuccess = Self.start
        state.hookFailure = "it exited with 7."
        #expect(
            state.warning(at: Self.start)
                == "The last backup was taken, and the command after it failed: it exited with 7.")
        state.failure = "the disk is full."
        #expect(state.warning(at: Self.start) == "The last backup failed: the disk is full.")
    }
}
