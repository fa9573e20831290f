import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Links of a record that a long change deletes")
struct PendingLinkTests {
    @Test(
        "A link that the hidden record still has is refused like one of a deleted record",
        arguments: ["friends", "followers"])
    func hidden(property: String) async throws {
        let fixture = try StoreFixture.links(stepLimits: .smallest)
        let store = fixture.store, id = UUID.version7()
        let link = Change.link(model: "Person", property: property, id: id, target: id)
        let person = Change.insert(model: "Person", id: id, values: ["name": .text("Ada"), "parent": .null])
        let commit = try await store.submit(ChangeSet(author: "test", changes: [person, link])).commit

        await store.limitSteps(to: 0)
        async let deletion = store.submit(
            ChangeSet(author: "test", changes: [.delete(model: "Person", id: id, version: nil)]))
        while await !store.hasCommittedLongChange(after: commit) {
            await store.limitSteps(to: 1)
            await store.waitUntilStepsAreUsed(after: commit)
        }
        _ = try await deletion
        #expect(await !store.longChanges.isEmpty)
        #expect(try fixture.contents()["Person"]?[id] == nil)

        let (answers, continuation) = AsyncStream.makeStream(of: Result<Receipt?, StoreError>.self)
        store.enqueue([
            QueuedWrite(.submit(ChangeSet(author: "test", changes: [link])), before: nil) { continuation.yield($0) }
        ])
        await store.finishLongChange()
        var results = answers.makeAsyncIterator()
        guard case .failure(let error)? = await results.next() else {
            Issue.record("The link was stored.")
            return
        }
        #expect(error.code == .missingReference)
        #expect(try fixture.linkLines() == [])
        #expect(try await fixture.totalsMatch())
    }
}
