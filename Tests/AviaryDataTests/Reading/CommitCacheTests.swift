import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Results that are valid until the next commit")
struct CommitCacheTests {
    private let fixture: StoreFixture
    private let watch: CommitWatch

    init() throws {
        fixture = try .lists()
        watch = fixture.readers.commits
    }

    private func commit() async throws {
        try await fixture.insert(Animal(name: "Okapi"))
    }

    @Test("A value is known in the version in which it was read, and in no other")
    func versions() async throws {
        let cache = CommitCache<Int, String>(watch, limit: 10)
        let first = try #require(cache.version)
        cache.keep("old", for: 1, since: first)
        #expect(cache.value(1, in: first) == "old")
        #expect(cache.value(2, in: first) == nil)
        try await commit()
        let second = try #require(cache.version)
        #expect(cache.value(1, in: second) == nil)
    }

    @Test("A read that began before a commit replaces nothing that was read after it")
    func late() async throws {
        let cache = CommitCache<Int, String>(watch, limit: 10)
        let first = try #require(cache.version)
        try await commit()
        let second = try #require(cache.version)
        cache.keep("new", for: 1, since: second)
        cache.keep("old", for: 1, since: first)
        #expect(cache.value(1, in: second) == "new")
        #expect(cache.value(1, in: first) == nil)
    }

    @Test("All values together cost at most the limit")
    func bounded() throws {
        let cache = CommitCache<Int, String>(watch, limit: 10, cost: \.count)
        let version = try #require(cache.version)
        for key in 0..<100 {
            cache.keep("four", for: key, since: version)
            #expect(cache.value(key, in: version) == "four")
            #expect((0...key).count { cache.value($0, in: version) != nil } <= 2)
        }
        cache.keep("longer than the limit", for: 7, since: version)
        #expect(cache.value(7, in: version) == nil)
    }

    @Test("A value that is kept again replaces the earlier one and its cost")
    func replaced() throws {
        let cache = CommitCache<Int, String>(watch, limit: 10, cost: \.count)
        let version = try #require(cache.version)
        for text in ["one", "three", "six"] { cache.keep(text, for: 1, since: version) }
        cache.keep("seven..", for: 2, since: version)
        #expect(cache.value(1, in: version) == "six")
        #expect(cache.value(2, in: version) == "seven..")
    }
}
