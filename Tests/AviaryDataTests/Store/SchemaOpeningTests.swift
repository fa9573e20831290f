import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Opening a store with changed models")
struct SchemaOpeningTests {
    private func open(_ temporary: TemporaryDirectory, _ models: [ModelSchema], sortIndexes: [SortIndex] = []) throws
        -> Store
    {
        try Store(directory: DataDirectory(path: temporary.path), schema: Schema(models), sortIndexes: sortIndexes)
    }

    private struct Sloth: Model {
        var id = RecordID<Sloth>()
        init(from reader: inout FieldReader) throws {}
        func bind(to writer: inout FieldWriter) {}
        static let schema = ModelSchema(Sloth.self, [])
    }

    @Test("New models get tables, and existing records remain")
    func newModel() async throws {
        let temporary = TemporaryDirectory()
        let first = try open(temporary, Schema.rules().models)
        let zone = Zone()
        _ = try await first.submit(ChangeSet(zone.insertion))
        await first.close()
        let all = try Schema.rules().models + [Category.schema, Animal.schema, Sloth.schema]
        let second = try open(temporary, all)
        _ = try await second.submit(ChangeSet(Category(name: "Birds").insertion))
        let readers = try ReaderPool.patient(DataDirectory(path: temporary.path), Schema(all))
        let zones = SQLRecordRepository(model: Zone.schema, schema: try Schema(all), readers: readers, writer: second)
        #expect(try await zones.find(zone.id.uuid) != nil)
    }

    @Test("A model that lost a property is rejected with the name of the property")
    func changedModel() async throws {
        let temporary = TemporaryDirectory()
        try await open(temporary, [Category.schema, Animal.schema]).close()
        let smaller = ModelSchema(name: "Animal", properties: Animal.schema.properties.filter { $0.name != "legs" })
        let error = #expect(throws: StoreOpenError.self) { try open(temporary, [Category.schema, smaller]) }
        guard case .migrationRefused(let reasons) = error else { throw UnexpectedResult() }
        #expect(
            reasons.count == 1
                && reasons.allSatisfy { $0.hasPrefix("Animal.legs is in the file and not in the program") })
        #expect(try #require(error).description.contains("Nothing was changed"))
    }

    @Test("A schema that lacks a stored model is rejected, even if the model has no properties")
    func missingModel() async throws {
        let temporary = TemporaryDirectory()
        try await open(temporary, [Category.schema, Animal.schema, Sloth.schema]).close()
        let error = #expect(throws: StoreOpenError.self) { try open(temporary, [Category.schema, Animal.schema]) }
        guard case .migrationRefused(let reasons) = error else { throw UnexpectedResult() }
        #expect(
            reasons.count == 1
                && reasons.allSatisfy { $0.hasPrefix("The model Sloth is in the file and not in the program") })
    }

    @Test("Readers reject a file that lacks their models")
    func readers() async throws {
        let fixture = try StoreFixture.lists()
        #expect(throws: StoreOpenError.self) { try ReaderPool.patient(fixture.directory, .rules()) }
    }

    @Test("Opening a store adds and drops sort indexes")
    func sortIndexes() async throws {
        let temporary = TemporaryDirectory()
        let models = [Category.schema, Animal.schema]
        let name = SortIndex(model: "Animal", property: "name")
        let diet = SortIndex(model: "Animal", property: "diet")
        for wanted in [[name], [name, diet], [diet], []] {
            let store = try open(temporary, models, sortIndexes: wanted)
            let readers = try ReaderPool.patient(DataDirectory(path: temporary.path), Schema(models))
            #expect(readers.sortIndexes == Set(wanted))
            await store.close()
        }
    }

    @Test("A sort index on an unknown property or a reference is rejected", arguments: ["nothing", "category"])
    func badSortIndex(property: String) throws {
        let index = SortIndex(model: "Animal", property: property)
        #expect(throws: StoreOpenError.unknownSortIndex(index)) {
            try open(TemporaryDirectory(), [Category.schema, Animal.schema], sortIndexes: [index])
        }
    }

    @Test("A property name with quotes is escaped")
    func quotedName() async throws {
        struct Quoted: Model {
            var id = RecordID<Quoted>()
            var text = ""
            init(from reader: inout FieldReader) throws {}
            func bind(to writer: inout FieldWriter) {}
            static var schema: ModelSchema { ModelSchema(Quoted.self, []) }
        }
        let model = ModelSchema(Quoted.self, [.init(\.text, #"te"xt; DROP"#)])
        let name = #"te"xt; DROP"#
        let fixture = try StoreFixture(Schema([model]), sortIndexes: [SortIndex(model: "Quoted", property: name)])
        try await fixture.submit(.insert(model: "Quoted", id: .version7(), values: [name: .text("x")]))
        let records = SQLRecordRepository(
            model: model, schema: fixture.schema, readers: fixture.readers, writer: fixture.store
        )
        let page = try await records.page(PageRequest(sort: .init(property: name, direction: .ascending)))
        #expect(page.records.count == 1)
    }
}
