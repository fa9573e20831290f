import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin

extension FailingStores {
    @Suite("Kills during large deletes with links")
    struct LongLinkKillTests {
        @Test("The links that end with a large delete are there again after its undo, whatever was killed")
        func killed() async throws {
            let kills = Explore.times(2, exploring: 30)
            var random = TestSeed.generator(42)
            try await TestDirectory.use { directory in
                let shelf = try await Shelf(books: 2100, in: directory)
                var (round, count) = (0, 0)
                while count < kills {
                    let victims: [KilledServer.Victim] = [.store, .supervisor]
                    let (delete, isKilled) = try await shelf.change(
                        .submit(shelf.deletion), killing: victims[round % 2], at: LongChangeMoment(&random))
                    #expect(try shelf.books() == [] && shelf.links() == [])
                    let undo = Undo(id: UUID(), commit: delete.commit, author: "test")
                    let (_, isKilledAgain) = try await shelf.change(
                        .undo(undo), killing: victims[(round + 1) % 2], at: LongChangeMoment(&random))
                    #expect(try shelf.books() == shelf.allBooks)
                    #expect(try shelf.links() == shelf.allLinks)
                    try shelf.killed.expectTotals(of: "Book", "Author")
                    if isKilled, isKilledAgain { count += 1 }
                    round += 1
                    guard round < 5 * kills else {
                        Issue.record("Most changes ended before the kill: \(count) did not.")
                        break
                    }
                }
                try await shelf.killed.expectGoodData()
            }
        }
    }
}

/// Books with links to their authors, which a program deletes and restores over the store's socket.
private struct Shelf {
    let killed: KilledServer
    let allBooks: [[String]]
    let allLinks: [[String]]

    /// Starts a server and fills its store.
    init(books count: Int, in directory: TestDirectory) async throws {
        killed = try await KilledServer(.library, in: directory)
        try await killed.complete()
        let authors = (0..<3).map { _ in UUID.version7() }
        var changes = authors.enumerated().map { index, id in
            Change.insert(model: "Author", id: id, values: ["name": .text("Author \(index)")])
        }
        for index in 0..<count {
            let book = UUID.version7()
            changes.append(.insert(model: "Book", id: book, values: ["title": .text("Book \(index)")]))
            // Every tenth book has two authors.
            for offset in 0...(index.isMultiple(of: 10) ? 1 : 0) {
                changes.append(
                    .link(model: "Book", property: "authors", id: book, target: authors[(index + offset) % 3]))
            }
        }
        _ = try await Self.write(.submit(ChangeSet(author: "test", changes: changes)), to: directory)
        allBooks = try Self.books(killed.file)
        allLinks = try Self.links(killed.file)
        try #require(allBooks.count == count && allLinks.count == count + (count + 9) / 10)
    }

    func books() throws -> [[String]] { try Self.books(killed.file) }
    func links() throws -> [[String]] { try Self.links(killed.file) }

    private static func books(_ file: StoreFile) throws -> [[String]] {
        try file.rows("SELECT id, title FROM Book ORDER BY id")
    }

    private static func links(_ file: StoreFile) throws -> [[String]] {
        try file.rows("SELECT source, target FROM \"aviary_link.Book.authors\" ORDER BY source, target")
    }

    /// A delete of all books.
    var deletion: ChangeSet {
        ChangeSet(
            author: "test",
            changes: allBooks.compactMap { UUID(uuidString: $0[0]) }.map { .delete(model: "Book", id: $0) })
    }

    /// Makes a long change, kills a process at a moment of it, and waits for its end.
    ///
    /// - Returns: The receipt, and whether the kill came before the end.
    func change(
        _ request: WriteRequest, killing victim: KilledServer.Victim, at moment: LongChangeMoment
    ) async throws -> (Receipt, isKilled: Bool) {
        try await killed.complete()
        let id =
            switch request {
            case .submit(let changeSet): changeSet.id
            case .undo(let undo): undo.id
            case .discard(let draft): draft
            }
        let isOver = {
            let commits = try killed.file.rows(
                "SELECT number FROM aviary_commit WHERE change_set = '\(id.uuidString.lowercased())'")
            return try LongChangeProgress(killed.file) == nil && !commits.isEmpty
        }
        async let receipt = Self.write(request, to: killed.directory)
        let isUnderWay = try await moment.wait(in: killed.file, isOver: isOver)
        if isUnderWay { try await killed.kill(victim) }
        try await eventually("the change ended by itself after a kill of \(victim) at \(moment)") { try isOver() }
        let first = try await receipt
        // The receipt is kept, so that a caller can repeat the request after any kill.
        let second = try await Self.write(request, to: killed.directory)
        #expect(second.isRepeat && second.commit == first.commit, "\(victim) at \(moment)")
        return (first, isUnderWay)
    }

    /// Sends a request until the store answers it.
    private static func write(_ request: WriteRequest, to directory: TestDirectory) async throws -> Receipt {
        let connection = try StoreConnection(data: directory.data)
        defer { connection.close() }
        var receipt: Receipt?
        try await eventually("the store answered") {
            do throws(StoreError) {
                receipt = try await connection.writer.write(request)
                return true
            } catch {
                // The store was killed, or is starting.
                guard [.unavailable, .unanswered, .busy].contains(error.code) else { throw error }
                return false
            }
        }
        return try #require(receipt)
    }
}
