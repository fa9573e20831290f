import AviaryDomain
import TestSupport
import Testing

@testable import AviaryData

@Suite("Former primaries of a PostgreSQL cluster")
struct FormerPrimaryTests {
    private func position(_ timeline: Int64, of cluster: String = "one") -> PostgreSQLTimelines.Position {
        PostgreSQLTimelines.Position(cluster: cluster, timeline: timeline)
    }

    @Test("A server with an older timeline than one that was met is a former primary")
    func older() {
        let timelines = PostgreSQLTimelines()
        #expect(timelines.accept(position(1)))
        #expect(timelines.isCurrent(position(1)) && timelines.isCurrent(nil))
        #expect(timelines.accept(position(2)))
        #expect(!timelines.isCurrent(position(1)) && timelines.isCurrent(position(2)) && timelines.isCurrent(nil))
        #expect(!timelines.accept(position(1)))
        #expect(timelines.accept(position(2)))
    }

    @Test("Another cluster begins its timelines again, and takes the place of the first one")
    func otherCluster() {
        let timelines = PostgreSQLTimelines()
        #expect(timelines.accept(position(7)))
        #expect(timelines.accept(position(1, of: "two")))
        #expect(timelines.isCurrent(position(1, of: "two")) && !timelines.isCurrent(position(7)))
        #expect(timelines.accept(position(2, of: "two")))
        #expect(!timelines.accept(position(1, of: "two")))
        // The address leads to the first cluster again.
        #expect(timelines.accept(position(7)))
    }

    @Test("A text that is no position has none", arguments: ["", "1", "1 x", "1 2 3"])
    func text(_ text: String) {
        #expect(PostgreSQLTimelines.Position(text) == nil)
    }

    @Test("Readers and the watch of commits leave a former primary", .onlyPostgreSQL)
    func readers() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one"), animals = one.records(Animal.self, hosts.schema)
        _ = try await one.insert(Animal(name: "Okapi"))
        #expect(try await animals.count() == 1)
        #expect(one.readers.commits.version != nil)
        // The process meets a successor.
        let connection = try PostgreSQLConnection(hosts.address(), schema: hosts.name, role: .builder)
        let text = try connection.firstRow(PostgreSQLTimelines.Position.query) { $0.text(0) ?? "" }
        let own = try #require(PostgreSQLTimelines.Position(text ?? ""))
        #expect(one.engine.timelines.accept(position(own.timeline + 1, of: own.cluster)))
        #expect(throws: EngineError.self) { try one.readers.recordCounts() }
        #expect(one.readers.commits.version == nil)
    }
}
