import AviaryDomain
import Foundation
import Testing

@Suite("Deletes with an expected version")
struct DeleteVersionTests {
    @Test("Deleting an outdated version is a conflict, and the store rejects the whole change set")
    func changedSince() async throws {
        let fixture = try StoreFixture.rules()
        var bird = Bird()
        let other = Bird()
        let first = try await fixture.insert(bird)
        bird.name = "Kea"
        let second = try await fixture.submit(bird.update(from: first.commit))
        let refusal = await fixture.refusal(other.insertion, bird.deletion(of: first.commit))
        let current = try #require(try await fixture.find(bird))
        guard case .conflict("Bird", let found)? = refusal?.reason else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(found.version == second.commit && found.values == current.values)
        #expect(try await fixture.find(other) == nil)
        try await fixture.submit(bird.deletion(of: second.commit))
        #expect(try await fixture.count(Bird.self) == 0)
    }

    @Test("Deleting a missing record, or a record that the same change set updated, is no conflict")
    func gone() async throws {
        let fixture = try StoreFixture.rules()
        var bird = Bird()
        let first = try await fixture.insert(bird)
        bird.name = "Kea"
        try await fixture.submit(bird.update(from: first.commit), bird.deletion(of: first.commit))
        #expect(try await fixture.count(Bird.self) == 0)
        try await fixture.submit(bird.deletion(of: first.commit))
    }

    @Test("A delete with another version does not match the receipt of the first")
    func otherVersion() async throws {
        let fixture = try StoreFixture.rules()
        let bird = Bird(), id = UUID.version7()
        let first = try await fixture.insert(bird)
        let receipt = try await fixture.submit(bird.deletion(of: first.commit), id: id)
        #expect(try await fixture.submit(bird.deletion(of: first.commit), id: id).isRepeat)
        #expect(
            await fixture.refusal(bird.deletion(of: receipt.commit), id: id) == .alreadySaved(commit: receipt.commit))
        #expect(await fixture.refusal(bird.deletion, id: id) == .alreadySaved(commit: receipt.commit))
    }

    @Test("A delete without a version is encoded without a version field")
    func plain() throws {
        let change = Change.delete(model: "Bird", id: .version7())
        let text = String(decoding: try JSONEncoder().encode(change), as: UTF8.self)
        #expect(!text.contains("version"))
        #expect(try JSONDecoder().decode(Change.self, from: Data(text.utf8)) == change)
    }
}

extension Model {
    fileprivate func deletion(of version: Int64) -> Change {
        .delete(model: Self.modelName, id: id.uuid, version: version)
    }
}
