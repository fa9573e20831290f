import AviaryDomain
import Foundation
import Testing

@Suite("An account that a snapshot brings back")
struct RestoredAccountTests {
    private let before: Account

    init() {
        var account = Account(
            name: "ada", role: "editor", passwordHash: "hash", createdAt: Date(timeIntervalSince1970: 0))
        account.recoveryCodes = ["a", "b", "c"]
        account.lastOneTimeStep = 10
        before = account
    }

    @Test("A recovery code that was used since the snapshot is not good again")
    func usedCode() {
        var now = before
        now.recoveryCodes = ["a", "c"]
        #expect(before.restored(inPlaceOf: now).recoveryCodes == ["a", "c"])
    }

    @Test("Codes that were replaced since, or removed with the second factor, are not good again")
    func replacedCodes() {
        var now = before
        now.recoveryCodes = ["d", "e"]
        #expect(before.restored(inPlaceOf: now).recoveryCodes == [])
        now.recoveryCodes = []
        #expect(before.restored(inPlaceOf: now).recoveryCodes == [])
    }

    @Test("The last one-time password that was used stays the last, whichever of both used it")
    func step() {
        var now = before
        now.lastOneTimeStep = 12
        #expect(before.restored(inPlaceOf: now).lastOneTimeStep == 12)
        now.lastOneTimeStep = 8
        #expect(before.restored(inPlaceOf: now).lastOneTimeStep == 10)
    }

    @Test("An account that did not change keeps its sessions; one that was disabled since stays disabled")
    func disabled() {
        #expect(before.restored(inPlaceOf: before).epoch == before.epoch)
        var now = before
        (now.isDisabled, now.epoch) = (true, 2)
        let restored = before.restored(inPlaceOf: now)
        #expect(restored.isDisabled && restored.epoch == 2)
    }
}
