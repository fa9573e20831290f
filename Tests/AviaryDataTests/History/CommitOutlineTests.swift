import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Commit outlines")
struct CommitOutlineTests {
    @Test("An outline has the first changes of the requested models and a tally of all models")
    func outlines() async throws {
        let fixture = try StoreFixture.rules()
        let zone = Zone()
        let first = try await fixture.store.submit(
            ChangeSet(author: "ada", changes: [zone.insertion, Cage(in: zone).insertion, Keeper().insertion]))
        let second = try await fixture.store.submit(
            ChangeSet(author: "bob", changes: [Keeper().insertion, Keeper().insertion]))
        let outlines = try await fixture.history.outlines(
            of: [first.commit, second.commit, 99], models: ["Zone", "Keeper"], changes: 1, counting: 100)
        #expect(Set(outlines.keys) == [first.commit, second.commit])
        #expect(outlines[first.commit]?.commit == (try await fixture.history.commit(first.commit)))
        #expect(outlines[first.commit]?.changes.map(\.model) == ["Zone"])
        #expect(outlines[first.commit]?.tally == (try await fixture.history.tally(of: first.commit, limit: nil)))
        #expect(outlines[second.commit]?.tally == [ChangeTally(model: "Keeper", kind: .insert, count: 2)])
        #expect(outlines.values.allSatisfy { !$0.hasMore })
    }

    @Test("An outline has more changes only if an uncounted change belongs to a requested model")
    func more() async throws {
        let fixture = try StoreFixture.rules()
        let changes = (0..<5).map { _ in Zone().insertion } + (0..<5).map { _ in Keeper().insertion }
        let commit = try await fixture.store.submit(ChangeSet(author: "ada", changes: changes)).commit
        func outline(_ models: Set<String>, counting most: Int) async throws -> CommitOutline? {
            try await fixture.history.outlines(of: [commit], models: models, changes: 2, counting: most)[commit]
        }
        #expect(try await outline(["Zone"], counting: 5)?.hasMore == false)
        #expect(try await outline(["Zone"], counting: 4)?.hasMore == true)
        #expect(try await outline(["Keeper"], counting: 5)?.hasMore == true)
        #expect(try await outline(["Keeper"], counting: 9)?.hasMore == true)
        #expect(try await outline(["Keeper"], counting: 10)?.hasMore == false)
        #expect(try await outline(["Zone", "Keeper"], counting: 3)?.tally.map(\.count) == [3])
        #expect(try await outline([], counting: 3)?.hasMore == false)
    }
}
