import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Watch of the store's commits")
struct CommitWatchTests {
    @Test("The version is the same until a commit, and different after each")
    func commits() async throws {
        let fixture = try StoreFixture.lists(), watch = fixture.readers.commits
        var seen = [try #require(watch.version)]
        for name in ["Okapi", "Emu", "Quagga"] {
            #expect(watch.version == seen.last)
            try await fixture.insert(Animal(name: name))
            let version = try #require(watch.version)
            #expect(version > seen[seen.count - 1])
            seen.append(version)
        }
    }

    @Test("A change that the store refuses leaves the version as it was")
    func refusal() async throws {
        let fixture = try StoreFixture.lists(), watch = fixture.readers.commits
        let animal = Animal(name: "Okapi")
        try await fixture.insert(animal)
        let version = try #require(watch.version)
        #expect(await fixture.refusal(animal.anyInsertion) != nil)
        #expect(watch.version == version)
    }

    @Test("A read that is older than a commit has an older version")
    func olderRead() async throws {
        let fixture = try StoreFixture.lists(), watch = fixture.readers.commits
        try await fixture.insert(Animal(name: "Okapi"))
        let version = try #require(watch.version)
        let count = try await fixture.count(Animal.self)
        try await fixture.insert(Animal(name: "Emu"))
        #expect(try await fixture.count(Animal.self) == count + 1)
        #expect(try #require(watch.version) > version)
    }

    @Test("After it was closed, no version is equal to an earlier one")
    func reopened() throws {
        let fixture = try StoreFixture.lists(), watch = fixture.readers.commits
        let version = try #require(watch.version)
        watch.close()
        #expect(try #require(watch.version) > version)
    }

    @Test("Without a store there is no version")
    func missing() throws {
        let directory = TemporaryDirectory()
        #expect(CommitWatch(try DataDirectory(path: directory.path), engine: StoreEngines.standard).version == nil)
    }
}
