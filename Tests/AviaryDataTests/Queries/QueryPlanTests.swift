import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Query plans", .onlySQLite("query plans of this form"))
struct QueryPlanTests {
    private static let position = KeysetPosition(value: .text("x"), id: .version7())

    private func plan(_ sql: String, _ fixture: StoreFixture) throws -> [String] {
        try fixture.readers.read { try $0.rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) ?? "" } }
    }

    @Test("Every page reads a range of an index and sorts nothing", arguments: PageTests.orders, [true, false])
    func pages(order: ListOrder, upwards: Bool) throws {
        let fixture = try StoreFixture.lists()
        let query = try fixture.records(Animal.self).listQuery(sortedBy: order.property)
        let positions = [nil, Self.position, KeysetPosition(value: .null, id: .version7())]
        for range in Set(positions.flatMap { query.ranges(beyond: $0, upwards: upwards) }) {
            let plan = try plan(query.sql(range, upwards: upwards), fixture)
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            let main = try #require(plan.first)
            #expect(main.contains(range == .all ? "SCAN record USING" : "SEARCH record USING"), "\(plan)")
            if order.property != "id" { #expect(main.contains("aviary_sort.Animal.\(order.property)"), "\(plan)") }
            #expect(plan.dropFirst().allSatisfy { $0.hasPrefix("SEARCH reference") }, "\(plan)")
            if case .same = range, order.property != "id" {
                #expect(main.contains("(\(order.property)=? AND id"), "\(plan)")
            }
        }
    }

    @Test("The query for choices scans the index of the title")
    func choices() throws {
        let fixture = try StoreFixture.lists()
        let plan = try plan(fixture.records(Category.self).choicesStatement, fixture)
        #expect(plan == ["SCAN other USING COVERING INDEX aviary_sort.Category.name"])
    }

    @Test(
        "The lookup of a value uses an index of the property",
        arguments: [
            ("name", "Animal"), ("diet", "Animal"), ("name", "Category"),
        ])
    func lookup(property: String, model: String) throws {
        let fixture = try StoreFixture.lists()
        let schema = try #require(fixture.schema.model(model))
        let records = SQLRecordRepository(
            model: schema, schema: fixture.schema, readers: fixture.readers, writer: fixture.store
        )
        let statement = try records.lookupStatement([(property, isNull: false)])
        let plan = try plan(statement, fixture)
        #expect(plan.first?.firstMatch(of: /^SEARCH \w+ USING (COVERING )?INDEX aviary_/) != nil, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}
