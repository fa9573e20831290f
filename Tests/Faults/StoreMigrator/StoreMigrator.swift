import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// A program that opens a store with the models of an older or a newer application, and exits.
@main
struct StoreMigrator: AsyncParsableCommand {
    @Argument(help: "The data directory.")
    var path: String

    @Option(help: "What is otherwise than the older program has it; the older program unless said.")
    var change: ChangeKind?

    @Option(help: "Records to begin with.")
    var rows = 0

    func run() async throws {
        let schema = try change.map(SampleSchemas.new) ?? SampleSchemas.old()
        let store = try Store(
            directory: DataDirectory(path: path), schema: schema, sortIndexes: [],
            migration: MigrationInstructions(dropping: ["Sample.spare"], copiesStore: change != .all)
        )
        if rows > 0 {
            _ = try await store.submit(
                ChangeSet(id: UUID(), author: "migrator", changes: Self.keepers.map(Self.insertion(ofKeeper:))))
        }
        for first in stride(from: 0, to: rows, by: Self.batchSize) {
            let changes = (first..<min(first + Self.batchSize, rows)).flatMap(Self.changes)
            _ = try await store.submit(ChangeSet(id: UUID(), author: "migrator", changes: changes))
        }
        await store.close()
    }

    private static let batchSize = 10_000

    private static let keepers = (0..<10).map { _ in UUID.version7() }

    private static func insertion(ofKeeper id: UUID) -> Change {
        .insert(model: "Keeper", id: id, values: ["name": .text("Keeper")])
    }

    /// Returns the changes that insert a sample. Every fourth sample has two keepers.
    private static func changes(_ number: Int) -> [Change] {
        let id = UUID.version7()
        let links = number % 4 == 0 ? [number % keepers.count, (number + 1) % keepers.count] : []
        return [insertion(number, id)]
            + links.map { .link(model: "Sample", property: "keepers", id: id, target: keepers[$0]) }
    }

    /// Returns the insertion of a sample. Its values are distinct, and the tests can compute their sums.
    private static func insertion(_ number: Int, _ id: UUID) -> Change {
        .insert(
            model: "Sample", id: id,
            values: [
                "title": .text("Sample \(number)"), "code": .text("C-\(number)"), "grams": .integer(Int64(number * 3)),
                "note": .text(
                    number % 3 == 0 ? "" : "A note of sample \(number), long enough to fill a line of a page."),
                "diet": .text(number % 2 == 0 ? "plants" : "meat"), "year": .integer(Int64(1900 + number % 120)),
                "spare": .integer(Int64(number)),
            ])
    }
}

/// The differences of the newer program. The names match the tests' `MigrationKind`.
enum ChangeKind: String, ExpressibleByArgument, CaseIterable {
    case added, renamed, widened, widenedInPlace, optional, indexed, unique, uniqueTogether, relation, links, dropped
    case all
}
