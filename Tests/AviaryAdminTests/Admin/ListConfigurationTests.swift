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
            .action("Mark as sent") { ids, parcels in try await parcels.changeSet(updating: ids) { $0.state = .sent } }
            .action("Forget", requires: .delete) { _, _ in throw SaveError(\Parcel.label, "Not today.") }
        ModelAdmin(Depot.self)
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

    @Test("Without a declared search, the list searches full-text properties")
    func standardSearch() throws {
        let standard = try #require(ModelAdmin(Parcel.self).registrations.first).configuration()
        #expect(standard.searched.map(\.name) == ["label"])
        #expect(try #require(ModelAdmin(Depot.self).registrations.first).configuration().searched.isEmpty)
    }

    @Test("A mistake in a list declaration is an error at launch that says what to change")
    func mistakes() {
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).search(\.weight)).error?.contains(
                "Parcel.weight is searched, but is no text") == true)
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
        let twice = ModelAdmin(Parcel.self).action("A b") { _, _ in ChangeSet(author: "", changes: []) }.action("a-B") {
            _, _ in ChangeSet(author: "", changes: [])
        }
        #expect(Wrong(admin: twice).error?.contains("has the action “a-B” twice") == true)
        #expect(
            Wrong(admin: ModelAdmin(Parcel.self).action("…") { _, _ in ChangeSet(author: "", changes: []) }).error
                != nil)
    }
}
