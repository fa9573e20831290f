import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("Old entries of the history are removed on request")
struct HistoryTrimTests {
    private func fixture() async throws -> StoreFixture {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "first"))
        try await fixture.insert(Animal(name: "second"), Animal(name: "third"))
        try await fixture.insert(Animal(name: "fourth"))
        return fixture
    }

    private func commits(_ fixture: StoreFixture) async throws -> [Int64] {
        try await fixture.history.commits(HistoryQuery()).map(\.number)
    }

    @Test("A dry run counts and removes nothing")
    func dryRun() async throws {
        let fixture = try await fixture()
        let report = try await fixture.store.trimHistory(to: .entries(1), isDryRun: true)
        #expect(report == HistoryTrimReport(removed: 3, kept: 1, lastCommit: 2))
        #expect(try await commits(fixture) == [3, 2, 1])
    }

    @Test(
        "The newest entries stay, and a commit stays or goes as a whole",
        arguments: [(0, []), (1, [3]), (2, [3, 2]), (3, [3, 2]), (4, [3, 2, 1]), (100, [3, 2, 1])] as [(Int, [Int64])])
    func kept(count: Int, commits kept: [Int64]) async throws {
        let fixture = try await fixture()
        _ = try await fixture.store.trimHistory(to: .entries(count), isDryRun: false)
        #expect(try await commits(fixture) == kept)
        #expect(try await fixture.count(Animal.self) == 4)
    }

    @Test("Entries that are older than the age go, and the size of the history follows")
    func age() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(.lists(), now: { clock.withLock { $0 } })
        try await fixture.insert(Animal(name: "first"))
        let size = await fixture.store.position.historySize
        clock.withLock { $0 += 3601 }
        try await fixture.insert(Animal(name: "other"))
        let report = try await fixture.store.trimHistory(to: .age(.seconds(3600)), isDryRun: false)
        #expect(report.removed == 1 && report.kept == 1 && report.lastCommit == 1)
        #expect(try await commits(fixture) == [2])
        #expect(await fixture.store.position.historySize == size)
        #expect(await fixture.undoRefusal(of: 1) == [.notInHistory])
    }
}
