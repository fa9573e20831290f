import AviaryDomain
import TestSupport
import Testing

@testable import AviaryData

@Suite("Former primaries of a PostgreSQL cluster")
struct FormerPrimaryTests {
    private func position(_ timeline: Int64, start: Double, now: Double) -> PostgreSQLTimelines.Position {
        PostgreSQLTimelines.Position(timeline: timeline, start: start, now: now)
    }

    @Test("A server with an older timeline than one that was met is a former primary")
    func older() {
        let timelines = PostgreSQLTimelines()
        #expect(timelines.accept(position(1, start: 10, now: 100)))
        #expect(timelines.isCurrent(1) && timelines.isCurrent(nil))
        #expect(timelines.accept(position(2, start: 20, now: 200)))
        #expect(!timelines.isCurrent(1) && timelines.isCurrent(2) && timelines.isCurrent(nil))
        #expect(!timelines.accept(position(1, start: 10, now: 201)))
        #expect(timelines.accept(position(2, start: 20, now: 202)))
    }

    @Test("A server that was started later begins its timelines again")
    func startedLater() {
        let timelines = PostgreSQLTimelines()
        #expect(timelines.accept(position(7, start: 10, now: 100)))
        #expect(timelines.accept(position(1, start: 150, now: 160)))
        #expect(timelines.isCurrent(1))
        #expect(timelines.accept(position(2, start: 170, now: 180)))
        #expect(!timelines.accept(position(1, start: 150, now: 190)))
    }

    @Test("A text that is no position has none", arguments: ["", "1", "1 2", "x 2 3", "1 2 3 4"])
    func text(_ text: String) {
        #expect(PostgreSQLTimelines.Position(text) == nil)
    }

    @Test("Readers and the watch of commits leave a former primary", .onlyPostgreSQL)
    func readers() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one"), animals = one.records(Animal.self, hosts.schema)
        _ = try await one.insert(Animal(name: "Okapi"))
        #expect(try await animals.count() == 1)
        #expect(one.readers.commits.version != nil)
        // The process meets a successor. Its clock is ahead, so that this server is older.
        #expect(one.engine.timelines.accept(position(1000, start: 0, now: .greatestFiniteMagnitude)))
        #expect(throws: EngineError.self) { try one.readers.recordCounts() }
        #expect(one.readers.commits.version == nil)
    }
}
