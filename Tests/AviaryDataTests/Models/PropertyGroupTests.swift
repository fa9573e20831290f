import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Compound unique constraints and indexes")
struct PropertyGroupTests {
    @Test("A second record with the same values is rejected with the names of all properties")
    func unique() async throws {
        let fixture = try StoreFixture(Schema([Member.schema, Loan.schema]))
        let ada = Member(name: "Ada"), bo = Member(name: "Bo")
        let day = try #require(CalendarDate("2026-03-01")), next = try #require(CalendarDate("2026-03-02"))
        var second = Loan(member: ada, began: next)
        let receipt = try await fixture.insert(
            ada, bo, Loan(member: ada, began: day), Loan(member: bo, began: day), second)
        let error = StoreError.notUniqueTogether(model: "Loan", properties: ["member", "began"])
        #expect(await fixture.refusal(Loan(member: ada, began: day).insertion) == error)
        second.began = day
        #expect(await fixture.refusal(second.update(from: receipt.commit)) == error)
        // The update contains only one of the two properties.
        #expect(
            await fixture.refusal(
                .update(
                    model: "Loan", id: second.id.uuid, version: receipt.commit,
                    values: ["began": .text(day.description)]
                )) == error)
        #expect(error.description == "Another Loan already has the same member and began.")
        #expect(try await fixture.count(Loan.self) == 3)
    }

    @Test("Records may share the values if one of the values is nil")
    func null() async throws {
        let fixture = try StoreFixture(Schema([Shelf.schema]))
        try await fixture.insert(
            Shelf(room: "A", number: nil), Shelf(room: "A", number: nil), Shelf(room: "A", number: 1))
        #expect(
            await fixture.refusal(Shelf(room: "A", number: 1).insertion)
                == .notUniqueTogether(model: "Shelf", properties: ["room", "number"]))
    }

    @Test("A constraint or index of a single property equals its attribute")
    func single() {
        #expect(Shelf.schema.property("code")?.isUnique == true)
        #expect(Shelf.schema.uniqueConstraints == [["code"], ["room", "number"]])
        #expect(Shelf.schema.indexes == [["width"], ["number", "width"]])
    }

    @Test("The file contains an index for each constraint and each index")
    func created() throws {
        let fixture = try StoreFixture(Schema([Shelf.schema]))
        let names = try fixture.readers.read { try $0.indexes().map(\.name) }
        for name in [
            "aviary_unique.Shelf.code", "aviary_unique.Shelf.room.number", "aviary_index.Shelf.width",
            "aviary_index.Shelf.number.width",
        ] { #expect(names.contains(name)) }
    }

    @Test("Conditions and sort orders use the indexes", .onlySQLite("query plans of this form"))
    func used() throws {
        let fixture = try StoreFixture(Schema([Shelf.schema]))
        func plan(_ descriptor: FetchDescriptor<Shelf>) throws -> String {
            let sql = try FetchSQL(
                descriptor.query(), of: fixture.records(Shelf.self).table, fixture.readers.aids, selecting: "id")
            return try fixture.readers.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) { $0.text(3) ?? "" }.joined(
                    separator: "; ")
            }
        }
        let width = 3, number: Int? = 2, room = "A"
        let byWidth = try plan(FetchDescriptor(predicate: #Predicate { $0.width == width }))
        #expect(byWidth.contains("aviary_index.Shelf.width"))
        let ordered = try plan(FetchDescriptor(sortBy: [SortDescriptor(\.width)]))
        #expect(ordered.contains("aviary_index.Shelf.width") && !ordered.contains("TEMP B-TREE"))
        let both = try plan(
            FetchDescriptor(
                predicate: #Predicate { $0.number == number }, sortBy: [SortDescriptor(\.width, order: .reverse)]))
        #expect(both.contains("aviary_index.Shelf.number.width"))
        let unique = try plan(FetchDescriptor(predicate: #Predicate { $0.room == room && $0.number == number }))
        #expect(unique.contains("aviary_unique.Shelf.room.number"))
    }
}

/// A model with all kinds of unique constraints and indexes.
struct Shelf: Model {
    var id = RecordID<Shelf>()
    var room: String
    var number: Int?
    var width: Int
    var code: String?

    static let schema = ModelSchema(
        Shelf.self,
        [
            PropertyDefinition(\.room, "room"), PropertyDefinition(\.number, "number"),
            PropertyDefinition(\.width, "width", attributes: [.indexed]), PropertyDefinition(\.code, "code"),
        ],
        uniqueConstraints: [[\.room, \.number], [\.code]], indexes: [[\.number, \.width]]
    )

    init(room: String, number: Int?, width: Int = 1) {
        self.room = room
        self.number = number
        self.width = width
    }

    init(from reader: inout FieldReader) throws {
        room = try reader.next("room")
        number = try reader.next("number")
        width = try reader.next("width")
        code = try reader.next("code")
        id = try reader.next("id")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(room)
        writer.bind(number)
        writer.bind(width)
        writer.bind(code)
    }
}
