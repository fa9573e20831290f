import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Migration plan")
struct MigrationPlanTests {
    private let newest: Schema
    private let instructions: MigrationInstructions

    init() throws {
        newest = try Schema(ZooV3.models.map { $0.schema })
        instructions = MigrationInstructions(plan: try MigrationPlan(ZooPlan.self, to: newest))
    }

    private func store(_ version: any VersionedSchema.Type = ZooV1.self) throws -> MigratedStore {
        try MigratedStore(from: Schema(version.models.map { $0.schema }))
    }

    @Test("A record that a stage inserts before the first commit has version 1")
    func firstCommit() async throws {
        let fixture = try StoreFixture.lists()
        let tables = ModelTables(fixture.schema, StoreEngines.standard.dialect), id = UUID.version7()
        try await fixture.store.configure { connection in
            let records = TableRecords(tables: tables, connection: connection)
            try records.insert("Category", Record(id: id, version: 0, values: [.text("Birds")]))
        }
        #expect(try await fixture.records(Category.self).find(id)?.version == 1)
        #expect(try fixture.readers.read { try StorePosition.read(from: $0)?.commit } == 1)
    }

    @Test("A migration runs all stages with their conversions and closures")
    func allStages() async throws {
        let old = try store()
        let ada = try await old.insert(["name": .text("Ada")], into: "Keeper")
        let keeper = FieldValue.text(ada.canonicalText)
        for (name, grams) in [("Okapi", 250_000), ("Kea", 900), ("Kea", 1)] {
            _ = try await old.insert(["name": .text(name), "grams": .integer(Int64(grams)), "keeper": keeper])
        }
        let plan = try old.plan(newest, instructions)
        #expect(plan.kind == .exclusive)
        #expect(plan.steps.first == "1.0.0 to 2.0.0: make every Animal anew, as the program's migration plan says")

        let store = try await old.open(newest, instructions)
        #expect(try old.values(newest) == [[.text("Okapi"), .real(250), keeper], [.text("Kea"), .real(0.9), keeper]])
        #expect(try old.values(newest, of: "Person") == [[.text("Ada, 2")]])
        #expect(
            try old.tables().filter { !$0.hasPrefix("aviary_") && !$0.hasPrefix("sqlite_") } == ["Animal", "Person"])
        #expect(
            try old.indexes().filter { $0.contains("Animal") } == [
                "aviary_reference.Animal.keeper", "aviary_unique.Animal.name",
            ])
        // The totals continue from the existing counts.
        _ = try await store.submit(
            ChangeSet(.insert(model: "Animal", id: .version7(), values: ["name": .text("Tapir"), "weight": .real(1)])))
        let readers = try ReaderPool.patient(old.directory, newest)
        let totals = try readers.read { connection in
            try ["Animal", "Person", "Keeper"].map { try RecordCountTable.count($0, in: connection) }
        }
        #expect(totals == [3, 1, 0])
        #expect(try old.plan(newest, instructions).kind == .none)
    }

    @Test("A store of an intermediate version runs only the later stages")
    func inBetween() async throws {
        let old = try store(ZooV2.self)
        _ = try await old.insert(["name": .text("Ada"), "animals": .integer(7)], into: "Keeper")
        _ = try await old.open(newest, instructions)
        #expect(try old.values(newest, of: "Person") == [[.text("Ada, 7")]])
    }

    @Test("A file without the built-in models gets these models before its stages run")
    func withoutBuiltInModels() async throws {
        let newest = try Schema(ZooV3.models.map { $0.schema } + Schema.builtIn)
        let instructions = MigrationInstructions(plan: try MigrationPlan(ZooPlan.self, to: newest))
        let old = try store()
        _ = try await old.insert(["name": .text("Okapi"), "grams": .integer(250_000)])
        let steps = try old.plan(newest, instructions).steps
        #expect(steps.first == "add the model aviary_account")
        #expect(steps.contains("1.0.0 to 2.0.0: make every Animal anew, as the program's migration plan says"))
        _ = try await old.open(newest, instructions)
        #expect(try old.values(newest) == [[.text("Okapi"), .real(250), .null]])
        #expect(try old.tables().contains("aviary_account"))
        #expect(try old.plan(newest, instructions).kind == .none)
    }

    @Test("Adding only the built-in models runs no stage")
    func onlyBuiltInModels() async throws {
        let newest = try Schema(ZooV3.models.map { $0.schema } + Schema.builtIn)
        let instructions = MigrationInstructions(plan: try MigrationPlan(ZooPlan.self, to: newest))
        let old = try store(ZooV3.self)
        let plan = try old.plan(newest, instructions)
        #expect(plan.kind == .additive && !plan.steps.contains { $0.contains("2.1.0") })
    }

    @Test("An error thrown by a stage ends the migration, and nothing changes")
    func thrown() async throws {
        let old = try store()
        let id = try await old.insert(["name": .text("Whale"), "grams": .integer(2_000_000_000)])
        let error = await #expect(throws: MigrationError.self) { try await old.open(newest, instructions) }
        let text = "\(try #require(error))"
        #expect(text.contains(id.canonicalText) && text.contains("1.0.0 to 2.0.0") && text.contains("HeavyAnimal"))
        #expect(!text.contains("Whale"))
        #expect(try old.values(old.schema) == [[.text("Whale"), .integer(2_000_000_000), .null]])
        #expect(try old.plan(old.schema).kind == .none)
        await (try await old.open(old.schema)).close()
    }

    @Test("A dangling reference left by a stage ends the migration")
    func dangling() async throws {
        enum Careless: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: ZooV1.self, toVersion: ZooV2.self, converting: ZooPlan.stages[0].conversions,
                        willMigrate: { context in
                            try context.enumerate(ZooV1.Keeper.self) { try context.delete($0) }
                        })
                ]
            }
        }
        let schema = try Schema(ZooV2.models.map { $0.schema })
        let old = try store()
        let ada = try await old.insert(["name": .text("Ada")], into: "Keeper")
        _ = try await old.insert(["name": .text("Kea"), "grams": .integer(900), "keeper": .text(ada.canonicalText)])
        let error = await #expect(throws: StoreOpenError.self) {
            try await old.open(schema, MigrationInstructions(plan: MigrationPlan(Careless.self, to: schema)))
        }
        #expect("\(try #require(error))".contains("Animal.keeper would point to a record that does not exist"))
        #expect(try old.values(old.schema, of: "Keeper") == [[.text("Ada")]])
    }

    @Test("A value that a newer model rejects is reported with the id of its record")
    func invalid() async throws {
        enum Doubled: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: ZooV1.self, toVersion: ZooV2.self,
                        converting: [
                            ModelConversion(from: ZooV1.Animal.self, to: ZooV2.Animal.self) { old in
                                ZooV2.Animal(name: old.name, weight: .infinity, keeper: nil)
                            }
                        ])
                ]
            }
        }
        let schema = try Schema(ZooV2.models.map { $0.schema })
        let old = try store()
        let id = try await old.insert(["name": .text("Kea"), "grams": .integer(900)])
        let error = await #expect(throws: MigrationError.self) {
            try await old.open(schema, MigrationInstructions(plan: MigrationPlan(Doubled.self, to: schema)))
        }
        #expect(
            error?.code == .invalid && error?.model == "Animal" && error?.recordID == id && error?.property == "weight")
    }

    @Test("A stage that leaves duplicates of a unique value is rejected, and nothing changes")
    func repeated() async throws {
        enum Hasty: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] {
                [.custom(fromVersion: ZooV1.self, toVersion: ZooV2.self, converting: ZooPlan.stages[0].conversions)]
            }
        }
        let schema = try Schema(ZooV2.models.map { $0.schema })
        let old = try store()
        for _ in 0..<2 { _ = try await old.insert(["name": .text("Kea"), "grams": .integer(900)]) }
        let error = await #expect(throws: StoreOpenError.self) {
            try await old.open(schema, MigrationInstructions(plan: MigrationPlan(Hasty.self, to: schema)))
        }
        #expect("\(try #require(error))".contains("Animal.name would not be unique"))
        #expect(try old.values(old.schema).count == 2)
    }

    @Test("A program whose plan ends earlier rejects a file of a later version")
    func newerFile() async throws {
        enum Older: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] { [ZooPlan.stages[0]] }
        }
        let old = try store()
        await (try await old.open(newest, instructions)).close()
        let schema = try Schema(ZooV2.models.map { $0.schema })
        let plan = try MigrationPlan(Older.self, to: schema)
        await #expect(throws: StoreOpenError.newerSchema(found: .init(2, 1, 0), newest: .init(2, 0, 0))) {
            try await old.open(schema, MigrationInstructions(plan: plan))
        }
    }

    @Test("A new store has the newest version")
    func newStore() async throws {
        let temporary = TemporaryDirectory()
        let directory = try DataDirectory(path: temporary.path)
        await (try Store(directory: directory, schema: newest, sortIndexes: [], migration: instructions)).close()
        #expect(
            try DerivedMigration.planned(for: newest, sortIndexes: [], instructions, in: directory)?.kind
                == SchemaDifference.Kind.none)
    }

    // MARK: Errors in the plan

    @Test("A plan with wrong versions, stages or dropped names is an error")
    func mistakes() throws {
        enum Backwards: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV3.self, ZooV1.self] }
            static var stages: [MigrationStage] { [] }
        }
        enum Skipping: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { ZooPlan.schemas }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: ZooV1.self, toVersion: ZooV3.self)] }
        }
        enum Short: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self] }
            static var stages: [MigrationStage] { [] }
        }
        enum Misspelt: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [ZooV1.self, ZooV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: ZooV1.self, toVersion: ZooV2.self, dropping: ["Animal.gram"],
                        converting: ZooPlan.stages[0].conversions)
                ]
            }
        }
        for (plan, part) in [
            (
                Misspelt.self as any SchemaMigrationPlan.Type,
                "drops Animal.gram from version 1.0.0 to 2.0.0, where nothing of this name goes"
            ),
            (Backwards.self, "has version 1.0.0 after 2.1.0"),
            (Skipping.self, "has a stage from 1.0.0 to 2.1.0, which are not neighbours"),
            (Short.self, "ends with version 1.0.0, which is not what the admin registers"),
        ] {
            let error = #expect(throws: SchemaError.self) {
                try MigrationPlan(plan, to: plan == Misspelt.self ? Schema(ZooV2.models.map { $0.schema }) : newest)
            }
            #expect(try #require(error).description.contains(part))
        }
    }
}
