import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("A removed choice in a migration plan")
struct ChoiceMigrationTests {
    private let newest = Result { try Schema([Menu3.Dish.schema]) }

    private func stored(_ kind: Menu1.Kind) async throws -> MigratedStore {
        let store = try MigratedStore(from: Schema([Menu1.Dish.schema]))
        _ = try await store.insert(["kind": .text(kind.rawValue)], into: "Dish")
        return store
    }

    @Test("A stage gives records another value before the choice is removed")
    func replaced() async throws {
        let old = try await stored(.meat)
        let instructions = MigrationInstructions(plan: try MigrationPlan(Replacing.self, to: newest.get()))
        _ = try await old.open(newest.get(), instructions)
        #expect(try old.values(newest.get(), of: "Dish") == [[.text("plants")]])
    }

    @Test("A record that holds the choice after all stages prevents the migration")
    func held() async throws {
        let instructions = MigrationInstructions(plan: try MigrationPlan(Plain.self, to: newest.get()))
        let held = try await stored(.meat)
        let error = await #expect(throws: StoreOpenError.self) { try await held.open(newest.get(), instructions) }
        #expect("\(try #require(error))".contains("Dish.kind no longer has the choice meat, which one record holds."))

        let free = try await stored(.plants)
        _ = try await free.open(newest.get(), instructions)
        #expect(try free.values(newest.get(), of: "Dish") == [[.text("plants")]])
    }

    private enum Replacing: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Menu1.self, Menu2.self, Menu3.self] }
        static var stages: [MigrationStage] {
            [
                .lightweight(fromVersion: Menu1.self, toVersion: Menu2.self),
                .custom(
                    fromVersion: Menu2.self, toVersion: Menu3.self,
                    willMigrate: { context in
                        try context.enumerate(Menu2.Dish.self) { dish in
                            guard dish.kind == .meat else { return }
                            try context.update(Menu2.Dish(id: dish.id, kind: .plants))
                        }
                    }),
            ]
        }
    }

    private enum Plain: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Menu1.self, Menu2.self, Menu3.self] }
        static var stages: [MigrationStage] {
            [
                .lightweight(fromVersion: Menu1.self, toVersion: Menu2.self),
                .lightweight(fromVersion: Menu2.self, toVersion: Menu3.self),
            ]
        }
    }
}

private enum Menu1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any Model.Type] { [Dish.self] }
    enum Kind: String, Choice { case plants, meat }
    typealias Dish = OneDish<Kind>
}

private enum Menu2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any Model.Type] { [Dish.self] }
    enum Kind: String, Choice { case plants, meat, eggs }
    typealias Dish = OneDish<Kind>
}

private enum Menu3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any Model.Type] { [Dish.self] }
    enum Kind: String, Choice { case plants, eggs }
    typealias Dish = OneDish<Kind>
}

/// A dish with the choices of a version.
private struct OneDish<Kind: Choice>: Model {
    static var modelName: String { "Dish" }
    static var schema: ModelSchema { ModelSchema(Self.self, [PropertyDefinition(\Self.kind, "kind")]) }

    var id = RecordID<Self>()
    var kind: Kind

    init(id: RecordID<Self> = RecordID(), kind: Kind) {
        self.id = id
        self.kind = kind
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        kind = try reader.next("kind")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(kind) }
}
