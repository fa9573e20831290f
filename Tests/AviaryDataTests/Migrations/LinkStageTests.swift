import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Links in the stages of a migration plan")
struct LinkStageTests {
    private struct Ids {
        let emma: UUID, ida: UUID, jane: UUID, tom: UUID
    }

    /// Creates a store with Emma by Jane and Tom, who are friends, and Ida without an author.
    private func store() async throws -> (MigratedStore, Ids) {
        let store = try MigratedStore(from: Schema(LibraryV1.models.map { $0.schema }))
        let ids = Ids(
            emma: try await store.insert("Emma", into: "Book"), ida: try await store.insert("Ida", into: "Book"),
            jane: try await store.insert("Jane", into: "Author"), tom: try await store.insert("Tom", into: "Author")
        )
        for author in [ids.jane, ids.tom] {
            try await store.submit(.link(model: "Book", property: "authors", id: ids.emma, target: author))
        }
        try await store.submit(.link(model: "Author", property: "friends", id: ids.jane, target: ids.tom))
        return (store, ids)
    }

    private func open(
        _ store: MigratedStore, _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type
    ) async throws -> Store {
        let schema = try Schema(version.models.map { $0.schema })
        return try await store.open(schema, MigrationInstructions(plan: MigrationPlan(plan, to: schema)))
    }

    // MARK: Renamed models

    private static let conversions = [
        ModelConversion(from: LibraryV1.Author.self, to: LibraryV2.Writer.self) { LibraryV2.Writer(named: $0.name) },
        ModelConversion(from: LibraryV1.Book.self, to: LibraryV2.Work.self) { LibraryV2.Work(named: $0.name) },
    ]

    private enum Renaming: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }
        static var stages: [MigrationStage] {
            [.custom(fromVersion: LibraryV1.self, toVersion: LibraryV2.self, converting: LinkStageTests.conversions)]
        }
    }

    @Test("Renamed models keep their links and accept new links")
    func renamedModels() async throws {
        let (store, ids) = try await store()
        let schema = try Schema(LibraryV2.models.map { $0.schema })
        let instructions = MigrationInstructions(plan: try MigrationPlan(Renaming.self, to: schema))
        let steps = try store.plan(schema, instructions).steps
        #expect(
            steps.contains(
                "1.0.0 to 2.0.0: rename the relation Author.friends to Writer.friends; let Writer.friends link to Writer, which linked to Author"
            ))
        #expect(
            steps.contains(
                "1.0.0 to 2.0.0: rename the relation Book.authors to Work.authors; let Work.authors link to Writer, which linked to Author"
            ))

        let opened = try await store.open(schema, instructions)
        #expect(try store.links("Work.authors", "Work", "Writer") == ["Emma - Jane", "Emma - Tom"])
        #expect(try store.links("Writer.friends", "Writer", "Writer") == ["Jane - Tom", "Tom - Jane"])
        #expect(try store.relation("Work.authors", refersTo: ["Work", "Writer"]))
        #expect(try store.relation("Writer.friends", refersTo: ["Writer", "Writer"]))
        #expect(try store.linkTables() == ["aviary_link.Work.authors", "aviary_link.Writer.friends"])
        #expect(try store.problems() == [])
        _ = try await opened.submit(ChangeSet(.link(model: "Work", property: "authors", id: ids.ida, target: ids.tom)))
        #expect(try store.links("Work.authors", "Work", "Writer").last == "Ida - Tom")
        #expect(try store.plan(schema).kind == .none)
    }

    @Test("Renamed models without links accept new links")
    func renamedWithoutLinks() async throws {
        let store = try MigratedStore(from: Schema(LibraryV1.models.map { $0.schema }))
        let opened = try await open(store, LibraryV2.self, Renaming.self)
        let work = LibraryV2.Work(named: "Emma"), writer = LibraryV2.Writer(named: "Jane")
        _ = try await opened.submit(
            ChangeSet(
                id: .version7(), author: "ada",
                changes: [
                    .insert(work), .insert(writer), .link(work, \.authors, writer),
                ]))
        #expect(try store.links("Work.authors", "Work", "Writer") == ["Emma - Jane"])
        #expect(try store.problems() == [])
    }

    // MARK: Closures of a stage

    @Test("A stage can read, add and remove links in the older and the newer models")
    func stages() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { Renaming.schemas }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV2.self, converting: LinkStageTests.conversions,
                        willMigrate: { context in
                            let books = try context.fetch(
                                FetchDescriptor<LibraryV1.Book>(sortBy: [SortDescriptor(\.name)]))
                            let authors = try context.links(of: books[0].id, \.authors)
                            for author in authors {
                                guard try context.links(of: author, \LibraryV1.Author.books) == [books[0].id] else {
                                    throw HeavyAnimal()
                                }
                            }
                            try context.unlink(books[0].id, \.authors, from: [authors[0]])
                            try context.link(books[1].id, \.authors, with: Set(authors))
                        },
                        didMigrate: { context in
                            var pairs: [Set<RecordID<LibraryV2.Writer>>] = []
                            try context.enumerateLinks(\LibraryV2.Writer.friends) { pairs.append([$0, $1]) }
                            guard pairs.count == 1 else { throw HeavyAnimal() }
                            let writers = try context.fetch(FetchDescriptor<LibraryV2.Writer>())
                            try context.unlink(writers[0].id, \.friends, from: [writers[1].id])
                            for writer in writers { try context.link(writer.id, \.friends, with: [writer.id]) }
                        })
                ]
            }
        }
        let (store, _) = try await store()
        _ = try await open(store, LibraryV2.self, Plan.self)
        #expect(try store.links("Work.authors", "Work", "Writer") == ["Emma - Tom", "Ida - Jane", "Ida - Tom"])
        #expect(try store.links("Writer.friends", "Writer", "Writer") == ["Jane - Jane", "Tom - Tom"])
        #expect(try store.problems() == [])
    }

    @Test("Deleting a record in a stage removes its links")
    func deleted() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { Renaming.schemas }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV2.self, converting: LinkStageTests.conversions,
                        willMigrate: { context in
                            try context.enumerate(LibraryV1.Author.self) {
                                if $0.name == "Tom" { try context.delete($0) }
                            }
                        })
                ]
            }
        }
        let (store, _) = try await store()
        _ = try await open(store, LibraryV2.self, Plan.self)
        #expect(try store.links("Work.authors", "Work", "Writer") == ["Emma - Jane"])
        #expect(try store.links("Writer.friends", "Writer", "Writer") == [])
        #expect(try store.problems() == [])
    }

    @Test("A stage can insert records for a new target model with the same ids, which keeps every link")
    func retargeted() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV3.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV3.self,
                        didMigrate: { context in
                            try context.enumerate(LibraryV3.Author.self) { author in
                                try context.insert(LibraryV3.Person(id: RecordID(author.id.uuid), named: author.name))
                            }
                        })
                ]
            }
        }
        let (store, _) = try await store()
        _ = try await open(store, LibraryV3.self, Plan.self)
        #expect(try store.links("Book.contributors", "Book", "Person") == ["Emma - Jane", "Emma - Tom"])
        #expect(try store.relation("Book.contributors", refersTo: ["Book", "Person"]))
        #expect(try store.links("Author.friends", "Author", "Author") == ["Jane - Tom", "Tom - Jane"])
        #expect(try store.problems() == [])
    }

    @Test("A stage that leaves links without records is rejected, and nothing changes")
    func unfit() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV3.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV3.self,
                        didMigrate: { context in
                            for author in try context.fetch(FetchDescriptor<LibraryV3.Author>())
                            where author.name == "Jane" {
                                try context.insert(LibraryV3.Person(id: RecordID(author.id.uuid), named: author.name))
                            }
                        })
                ]
            }
        }
        let (store, _) = try await store()
        let error = await #expect(throws: StoreOpenError.self) { try await open(store, LibraryV3.self, Plan.self) }
        #expect("\(try #require(error))".contains("Book.contributors is to link to Person, and 1 link would be lost"))
        #expect(try store.links("Book.authors", "Book", "Author") == ["Emma - Jane", "Emma - Tom"])
        #expect(try store.tables().contains("Person") == false)
    }

    @Test("A stage that links a missing record or reads an unknown relation fails")
    func mistakes() async throws {
        enum Nobody: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { Renaming.schemas }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV2.self, converting: LinkStageTests.conversions,
                        willMigrate: { context in
                            for book in try context.fetch(FetchDescriptor<LibraryV1.Book>()) {
                                try context.link(book.id, \.authors, with: [RecordID()])
                            }
                        })
                ]
            }
        }
        enum Newer: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { Renaming.schemas }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: LibraryV1.self, toVersion: LibraryV2.self, converting: LinkStageTests.conversions,
                        willMigrate: { context in
                            _ = try context.links(of: RecordID(), \LibraryV2.Work.authors)
                        })
                ]
            }
        }
        let (store, _) = try await store()
        let missing = await #expect(throws: MigrationError.self) { try await open(store, LibraryV2.self, Nobody.self) }
        #expect(missing?.code == .notFound && missing?.model == "Author")
        await #expect(throws: MigrationError.unknownRelation("Work.authors")) {
            try await open(store, LibraryV2.self, Newer.self)
        }
        #expect(try store.links("Book.authors", "Book", "Author") == ["Emma - Jane", "Emma - Tom"])
    }
}
