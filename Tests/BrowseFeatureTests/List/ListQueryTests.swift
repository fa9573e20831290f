import AviaryDomain
import Foundation
import Testing

@testable import BrowseFeature

@Suite("The query of a list")
struct ListQueryTests {
    @Test("A list without a query shows the first 50 rows by the first column")
    func standard() throws {
        let query = try query("")
        #expect(query.sort == ListOrder(property: "name", direction: .ascending))
        #expect(query.size == 50)
        #expect(query.cursor == nil)
        #expect(query.text(for: animals) == "")
    }

    @Test(
        "Order and size survive a round trip",
        arguments: ["sort=-name", "sort=diet&size=10", "size=200"])
    func roundTrip(text: String) throws {
        #expect(try query(text).text(for: animals) == text)
    }

    @Test("A cursor survives a round trip in both directions", arguments: ["after", "before"])
    func place(direction: String) throws {
        let order = ListOrder(property: "diet", direction: .descending)
        let cursor = CursorText.encode(
            KeysetPosition(value: .text("carnivorous"), id: .version7()), for: CursorBinding(order))
        let text = "sort=-diet&\(direction)=\(cursor)"
        #expect(try query(text).text(for: animals) == text)
    }

    @Test(
        "An unknown or unsortable column is rejected",
        arguments: [
            "sort=wings", "sort=", "sort=-", "sort=--name", "sort=category", "sort=id", "sort=name%20", "sort=Name",
        ])
    func unknownColumn(text: String) {
        #expect(throws: ListQueryError.unknownColumn) { try query(text) }
    }

    @Test(
        "A size outside the range 1 to 200 is rejected",
        arguments: [
            "size=0", "size=-1", "size=201", "size=", "size=ten", "size=99999999999999999999", "size=5.0",
        ])
    func invalidSize(text: String) {
        #expect(throws: ListQueryError.invalidSize) { try query(text) }
    }

    @Test("An invalid cursor is rejected", arguments: ["after=x", "before=x", "after=", "before="])
    func invalidCursor(text: String) {
        #expect(throws: ListQueryError.invalidCursor) { try query(text) }
    }

    @Test("A cursor for another order is rejected")
    func foreignCursor() {
        let order = ListOrder(property: "name", direction: .ascending)
        let cursor = CursorText.encode(KeysetPosition(value: .text("a"), id: .version7()), for: CursorBinding(order))
        #expect(throws: ListQueryError.invalidCursor) { try query("sort=-name&after=\(cursor)") }
    }

    @Test("The link of a column sorts by it, and then toggles the direction")
    func clicks() throws {
        let first = try query("sort=name").sorted(by: "diet")
        #expect(first.sort == ListOrder(property: "diet", direction: .ascending))
        let second = first.sorted(by: "diet")
        #expect(second.sort == ListOrder(property: "diet", direction: .descending))
        #expect(second.sorted(by: "diet").sort == first.sort)
    }

    @Test("Sorting returns to the first page and keeps the size")
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
