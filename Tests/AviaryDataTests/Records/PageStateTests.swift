import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

/// Tests in which each query of a page except the first runs after a concurrent commit.
@Suite("Consistency of a page during concurrent commits")
struct PageStateTests {
    /// A writer that commits before each query except the first.
    private final class Intruder: Sendable {
        private let fixture: StoreFixture
        private let queries = Mutex(0)
        private let commit: @Sendable (any Connection) throws -> Void

        init(_ fixture: StoreFixture, _ commit: @escaping @Sendable (any Connection) throws -> Void) {
            self.fixture = fixture
            self.commit = commit
        }

        var commits: Int { queries.withLock { $0 - 1 } }

        func records<M: Model>(_ model: M.Type) throws -> SQLRecordRepository {
            let isArmed = Mutex(false)
            let engine = RecordingEngine { [self] sql in
                guard isArmed.withLock({ $0 }), sql.hasPrefix("SELECT") else { return }
                let isFirst = queries.withLock { count in
                    count += 1
                    return count == 1
                }
                if !isFirst { intrude() }
            }
            let readers = try ReaderPool(
                directory: fixture.directory, schema: fixture.schema, readLimit: Patience.bound, engine: engine)
            isArmed.withLock { $0 = true }
            return SQLRecordRepository(
                model: M.schema, schema: fixture.schema, readers: readers, writer: fixture.store)
        }

        private func intrude() {
            do {
                let writer = try StoreEngines.standard.openWriter(fixture.directory)
                defer { writer.close() }
                try writer.transaction { try commit(writer) }
            } catch {
                Issue.record(error)
            }
        }
    }

    private static let elsewhere = PageLimits(page: .zero, plan: .zero, walk: .zero, collection: Patience.bound)

    @Test("The number of matches belongs to the same state as the page", arguments: [true, false], [1, 2])
    func matches(isInPlace: Bool, conditions: Int) async throws {
        let fixture = try StoreFixture.lists()
        let animals = (0..<40).map { Animal(name: "\($0)", diet: .carnivorous, legs: 4) }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        let intruder = Intruder(fixture) { writer in
            try writer.run("DELETE FROM \"Animal\" WHERE id = (SELECT max(id) FROM \"Animal\")")
            try RecordCountTable.add(-1, to: "Animal", in: writer)
        }
        var records = try intruder.records(Animal.self)
        records.pageLimits = isInPlace ? .patient : Self.elsewhere
        let all: [QueryExpression] = [
            .isMember(.property("diet"), of: [.text("carnivorous")]),
            .ordered(.greaterOrEqual, .property("legs"), .constant(.integer(4))),
        ]
        let page = try await records.page(
            PageRequest(
                sort: ListOrder(property: "name", direction: .ascending), size: 5,
                conditions: Array(all.prefix(conditions))))
        #expect(intruder.commits > 0)
        #expect(page.records.count == 5)
        #expect(page.matches == .exactly(page.total))
    }

    @Test("Related records belong to the same state as the page", arguments: [true, false])
    func related(isFiltered: Bool) async throws {
        let fixture = try StoreFixture.links()
        let books = ["a", "b", "c"].map { Book(name: $0) }, author = Author(name: "Ada")
        try await fixture.insert(books[0], books[1], books[2], author)
        for book in books { try await fixture.submit(.link(book, \.authors, author)) }
        let intruder = Intruder(fixture) { writer in
            try writer.run("DELETE FROM \"aviary_link.Book.authors\"")
            try writer.run("DELETE FROM \"Book\"")
        }
        var records = try intruder.records(Book.self)
        records.pageLimits = .patient
        let page = try await records.page(
            PageRequest(
                sort: ListOrder(property: "id", direction: .ascending),
                conditions: isFiltered ? [.isMember(.property("name"), of: ["a", "b", "c"].map { .text($0) })] : [],
                relations: ["authors"], relatedTitles: 2))
        #expect(intruder.commits > 0)
        let titles = page.records.map { page.related["authors"]?[$0.id]?.first.map(\.title) }
        #expect(titles.allSatisfy { $0 == ["Ada"] }, "\(titles)")
    }
}

extension PageLimits {
    /// Limits that no busy machine reaches.
    static let patient = PageLimits(
        page: Patience.bound, plan: Patience.bound, walk: Patience.bound, count: Patience.bound,
        collection: Patience.bound)
}
