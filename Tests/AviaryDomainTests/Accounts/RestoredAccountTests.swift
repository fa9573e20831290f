import AviaryDomain
import Foundation
import Testing

@Suite("Accounts restored from a snapshot")
struct RestoredAccountTests {
    private let before: Account

    init() {
        var account = Account(
            name: "ada", role: "editor", passwordHash: "hash", createdAt: Date(timeIntervalSince1970: 0))
        account.recoveryCodes = ["a", "b", "c"]
        account.lastOneTimeStep = 10
        before = account
    }

    @Test("A restore does not bring back a used recovery code")
    func usedCode() {
        var now = before
        now.recoveryCodes = ["a", "c"]
        #expect(before.restored(inPlaceOf: now).recoveryCodes == ["a", "c"])
    }

    @Test("A restore does not bring back replaced or removed recovery codes")
    func replacedCodes() {
        var now = before
        now.recoveryCodes = ["d", "e"]
        #expect(before.restored(inPlaceOf: now).recoveryCodes == [])
        now.recoveryCodes = []
        #expect(before.restored(inPlaceOf: now).recoveryCodes == [])
    }

    @Test("A restore keeps the latest one-time password step of both accounts")
    func step() {
        var now = before
        now.lastOneTimeStep = 12
        #expect(before.restored(inPlaceOf: now).lastOneTimeStep == 12)
        now.lastOneTimeStep = 8
        #expect(before.restored(inPlaceOf: now).lastOneTimeStep == 10)
    }

    @Test("A restored account keeps its epoch if unchanged, and stays disabled if disabled since")
    func disabled() {
        #expect(before.restored(inPlaceOf: before).epoch == before.epoch)
        var now = before
        (now.isDisabled, now.epoch) = (true, 2)
        let restored = before.restored(inPlaceOf: now)
        #expect(restored.isDisabled && restored.epoch == 2)
    }
}
