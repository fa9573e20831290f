import AviaryDomain
import Foundation
import Testing

@testable import BrowseFeature

@Suite("The address decides which part of a list is shown")
struct ListQueryTests {
    @Test("An address without a query shows the first 50 by the first column")
    func standard() throws {
        let query = try query("")
        #expect(query.sort == ListOrder(property: "name", direction: .ascending))
        #expect(query.size == 50)
        #expect(query.cursor == nil)
        #expect(query.text(for: animals) == "")
    }

    @Test(
        "Sort order and size are read, and written as they were",
        arguments: ["sort=-name", "sort=diet&size=10", "size=200"])
    func roundTrip(text: String) throws {
        #expect(try query(text).text(for: animals) == text)
    }

    @Test("A place is read, and written as it was, in both directions", arguments: ["after", "before"])
    func place(direction: String) throws {
        let order = ListOrder(property: "diet", direction: .descending)
        let cursor = CursorText.encode(
            KeysetPosition(value: .text("carnivorous"), id: .version7()), for: CursorBinding(order))
        let text = "sort=-diet&\(direction)=\(cursor)"
        #expect(try query(text).text(for: animals) == text)
    }

    @Test(
        "A column that does not exist, is no column or cannot be sorted by is refused",
        arguments: [
            "sort=wings", "sort=", "sort=-", "sort=--name", "sort=category", "sort=id", "sort=name%20", "sort=Name",
        ])
    func unknownColumn(text: String) {
        #expect(throws: ListQueryError.unknownColumn) { try query(text) }
    }

    @Test(
        "A size outside of 1 to 200 is refused",
        arguments: [
            "size=0", "size=-1", "size=201", "size=", "size=ten", "size=99999999999999999999", "size=5.0",
        ])
    func invalidSize(text: String) {
        #expect(throws: ListQueryError.invalidSize) { try query(text) }
    }

    @Test("A place that cannot be read is refused", arguments: ["after=x", "before=x", "after=", "before="])
    func invalidCursor(text: String) {
        #expect(throws: ListQueryError.invalidCursor) { try query(text) }
    }

    @Test("A place that belongs to another order is refused")
    func foreignCursor() {
        let order = ListOrder(property: "name", direction: .ascending)
        let cursor = CursorText.encode(KeysetPosition(value: .text("a"), id: .version7()), for: CursorBinding(order))
        #expect(throws: ListQueryError.invalidCursor) { try query("sort=-name&after=\(cursor)") }
    }

    @Test("A column's link sorts by it, a second click the other way around, a third again")
    func clicks() throws {
        let first = try query("sort=name").sorted(by: "diet")
        #expect(first.sort == ListOrder(property: "diet", direction: .ascending))
        let second = first.sorted(by: "diet")
        #expect(second.sort == ListOrder(property: "diet", direction: .descending))
        #expect(second.sorted(by: "diet").sort == first.sort)
    }

    @Test("Sorting anew begins at the first page and keeps the size")
    func sortingBeginsAnew() throws {
        let order = ListOrder(property: "name", direction: .ascending)
        let cursor = CursorText.encode(KeysetPosition(value: .text("a"), id: .version7()), for: CursorBinding(order))
        let sorted = try query("size=20&after=\(cursor)").sorted(by: "diet")
        #expect(sorted.cursor == nil)
        #expect(sorted.size == 20)
    }

    private func query(_ text: String) throws -> ListQuery {
        try ListQuery(FormEncoding.decode(text.utf8), for: animals)
    }
}
