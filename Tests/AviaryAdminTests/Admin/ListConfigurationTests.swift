import Aviary
import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Model struct Parcel {
    enum State: String, Choice { case packed, sent }

    @Attribute(.required, .fullText) var label: String
    var sender: String = ""
    var state: State = .packed
    var weight: Double = 0
    var sent: Date?
    var note: String?
    @Attribute(.secret) var code: String?
    var depot: Reference<Depot>?
    @Relationship var stops: Related<Depot>
}

@Model struct Depot {
    @Attribute(.required) var name: String
    @Relationship(inverse: \Parcel.depot) var parcels: Related<Parcel>
    @Relationship(inverse: \Parcel.stops) var passing: Related<Parcel>
}

private struct Post: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Parcel.self)
            .columns(\.label, \.weight).column("Bulk") { "\($0.weight / 2) bags" }.format(\.weight) { "\($0) kg" }
            .search(\.label, \.sender).filters(\.state, \.weight, \.sent, \.note, \.depot, \.stops)
            .ordering(\.sent, order: .reverse)
            .action("Mark as sent") { $0.state = .sent }
            .action("Forget", requires: .delete) { _, _ in throw SaveError(\Parcel.label, "Not today.") }
            .action("Return", requires: .delete) { ids, _ in ids.map { .delete($0) } }
        ModelAdmin(Depot.self)
    }
}

@Model struct Minutes {
    @Attribute(.required, .notFullText) var body: String
}

/// A list with a declared search of a title without a text index, and others without a search.
private struct Archive: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Minutes.self).search(\.body)
        ModelAdmin(Depot.self).search()
        ModelAdmin(Parcel.self).search()
    }
}

private struct Wrong<Declared: Admin>: Sendable {
    let admin: Declared
    var error: String? {
        do {
            for registration in admin.registrations { _ = try registration.configuration() }
            return nil
        } catch {
            return error.description
        }
    }
}

@Suite("List configuration")
struct ListConfigurationTests {
    private func parcels() throws -> ModelConfiguration {
        try #require(try AppDefinition(Post.self).configurations.first)
    }

    @Test("The configuration has the declared columns, formats, search, filters and order")
    func declared() throws {
        let list = try parcels()
        #expect(list.columns.map(list.title) == ["Label", "Weight", "Bulk"])
        #expect(list.searched.map(\.name) == ["label", "sender"])
        #expect(list.filters.map(\.property) == ["state", "weight", "sent", "note", "depot", "stops"])
        #expect(list.defaultSort == ListOrder(property: "sent", direction: .descending))
        #expect(list.sortableColumns == ["label", "weight", "sent"])
        #expect(list.formats["weight"]?.text(.real(2.5)) == "2.5 kg")
        let record = Record(id: UUID(), version: 1, values: Parcel.schema.defaultValues)
        #expect(list.computedColumns["computed.0"]?.value(record) == .text("0.0 bags"))
    }

    @Test("Only properties that a list sorts, searches or filters by have an index")
    func indexes() throws {
        let names = Set(try AppDefinition(Post.self).sortIndexes.filter { $0.model == "Parcel" }.map(\.property))
        #expect(names == ["label", "weight", "sent", "sender", "state", "note"])
    }

    @Test("Without a declared search, the list searches full-text properties and the title anywhere")
    func standardSearch() throws {
        let standard = try #require(ModelAdmin(Parcel.self).registrations.first).configuration()
        #expect(standard.searched.map(\.name) == ["label"])
        let depot = try #require(try AppDefinition(Post.self).configurations.last)
        #expect(depot.searchedAnywhere.map(\.name) == ["name"] && depot.searchedByPrefix.isEmpty)
    }

    @Test("A title that is declared without a text index is searched by its beginning, where .search names it")
    func unindexedTitle() throws {
        let lists = try AppDefinition(Archive.self).configurations
        #expect(lists.map { $0.searched.map(\.name) } == [["body"], [], []])
        #expect(lists[0].searchedByPrefix.map(\.name) == ["body"])
        let indexed = try AppDefinition(Archive.self).schema.models.filter { !$0.searchedProperties.isEmpty }
        #expect(indexed.map(\.name) == ["Depot", "Parcel"])
    }

    @Test("An action on a record changes what its closure changes, and an action on ids makes changes of any kind")
    func actions() async throws {
        let list = try parcels()
        #expect(list.actions.map(\.name) == ["mark-as-sent", "forget", "return"])
        #expect(list.actions.map(\.permission) == [.edit, .delete, .delete])
        let record = Record(id: .version7(), version: 7, values: Parcel.schema.defaultValues)
        let stored = StoredParcels(parcels: [record])
        let id = UUID.version7()
        let marked = try await list.action("mark-as-sent")?.changeSet(
            for: [record.id], of: stored, as: id, author: "ada")
        let update = Change.update(model: "Parcel", id: record.id, version: 7, values: ["state": .text("sent")])
        #expect(marked == ChangeSet(id: id, author: "ada", changes: [update]))
        let returned = try await list.action("return")?.changeSet(for: [record.id], of: stored, as: id, author: "ada")
        #expect(returned?.changes == [.delete(model: "Parcel", id: record.id)])
    }

    @Test("A mistake in a list declaration is an error at launch that says what to change")
    func mistakes() {
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).search(\.weight)).error?.contains(
                "Parcel.weight is searched, but is no text") == true)
        #expect(
            Wrong(
                admin: ModelAdmin(Parcel.self).column("Via") { parcels, _ in
                    Dictionary(parcels.map { ($0.id, $0.depot) }) { first, _ in first }
                }
            ).error?.contains("the list column “Via”, whose values are references") == true)
        #expect(Wrong(admin: ModelAdmin(Parcel.self).search(\.code)).error?.contains("Parcel.code is searched") == true)
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).filters(\.sender)).error?.contains("Parcel.sender cannot be a filter")
                == true)
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).filters(\.code)).error?.contains("Parcel.code cannot be a filter")
                == true)
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).filters(\.state, \.state)).error?.contains("a filter twice") == true)
        #expect(Wrong(admin: ModelAdmin(Parcel.self).ordering(\.depot)).error?.contains("cannot order a list") == true)
        let twice = ModelAdmin(Parcel.self).action("A b") { _, _ in [] }.action("a-B") { _, _ in [] }
        #expect(Wrong(admin: twice).error?.contains("has the action “a-B” twice") == true)
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).action("…") { _, _ in [] }).error
                != nil)
    }
}

/// A store that has these records and takes no changes.
private struct StoredParcels: ModelRecords {
    let parcels: [Record]

    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] { try parcels.map(make) }

    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value] { throw StoreError.unavailable("it has no values.") }

    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists {
        RelatedRecordLists(records: parcels, related: [])
    }

    func identifiers(_ query: RecordQuery) async throws -> [UUID] { parcels.map(\.id) }
    func count(_ query: RecordQuery) async throws -> Int { parcels.count }
    func find(_ id: UUID) async throws -> Record? { parcels.first { $0.id == id } }
    func receipt(of changeSet: UUID) async throws -> Receipt? { nil }
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt { throw .unavailable("it takes none.") }
}
