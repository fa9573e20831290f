import Foundation
import TestSupport
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Search and filters in the address")
struct FilterAddressTests {
    private static let schema = ModelSchema(
        name: "Animal",
        properties: [
            property("name", .string, attributes: [.required]),
            property("diet", .choice(["herbivorous", "carnivorous", "omni, vorous"])),
            property("isTame", .boolean),
            property("legs", .integer, isOptional: true),
            property("weight", .double),
            property("price", .decimal(scale: 2), isOptional: true, attributes: [.scale(2)]),
            property("born", .calendarDate, isOptional: true),
            property("seen", .date),
            property("note", .string, isOptional: true),
            property("category", .toOne(model: "AnimalCategory"), isOptional: true),
        ])

    static let configuration = ModelConfiguration(
        schema: schema, columns: ["name", "diet", "legs"], searched: [schema.properties[0]],
        filters: schema.properties.compactMap { ListFilter($0) }
    )

    private func query(_ text: String) throws -> ListQuery {
        try ListQuery(FormEncoding.decode(text.utf8), for: Self.configuration)
    }

    private func randomSetting(_ filter: ListFilter, _ generator: inout SeededGenerator) -> FilterSetting {
        var setting = FilterSetting(filter.property)
        func value() -> FieldValue {
            switch filter.property {
            case "diet": .text(["herbivorous", "carnivorous", "omni, vorous"].randomElement(using: &generator) ?? "")
            case "isTame": .integer(Int64.random(in: 0...1, using: &generator))
            case "legs": .integer(Int64.random(in: .min ... .max, using: &generator))
            case "weight": .real(Double.random(in: -1e6...1e6, using: &generator))
            case "price": .integer(Int64.random(in: -1_000_000...1_000_000, using: &generator))
            case "born": .text("20\(Int.random(in: 10...99, using: &generator))-02-03")
            case "seen": .text(Bool.random(using: &generator) ? "2026-02-03" : "2026-02-03T04:05:06.007Z")
            default: .text(UUID.version7().canonicalText)
            }
        }
        if filter.isRange {
            if Bool.random(using: &generator) { setting.lower = value() }
            if Bool.random(using: &generator) { setting.upper = value() }
        } else if filter.kind != .presence {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let next = value()
                if !setting.values.contains(next) { setting.values.append(next) }
            }
        }
        if filter.isOptional, Bool.random(using: &generator) { setting.isEmpty = Bool.random(using: &generator) }
        return setting
    }

    @Test("Filters, search, order, size and cursor survive a round trip through the address")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 5)
        let searches: [String?] = [nil, "kom", "O'Brien & <b>", "100% \"x\"", "ä é 🦉", "a+b=c;d"]
        for _ in 0..<500 {
            let settings = Self.configuration.filters.map { randomSetting($0, &generator) }.filter { !$0.isUnset }
            let search = searches.randomElement(using: &generator) ?? nil
            let standard = try query("sort=-legs&size=20")
            let made = standard.filtered(search: search, settings: settings, for: Self.configuration)
                .moved(to: .after(KeysetPosition(value: .integer(4), id: .version7())))
            let read = try query(made.text(for: Self.configuration))
            #expect(read == made)
            #expect(read.settings == settings)
            #expect(read.search == search)
            #expect(read.text(for: Self.configuration) == made.text(for: Self.configuration))
        }
    }

    @Test(
        "A cursor is valid only for the search and the filters that it was created for",
        arguments: [
            "", "q=kom", "filter.diet=carnivorous", "filter.diet=herbivorous&q=kom",
            "filter.diet=herbivorous&filter.legs.empty=1",
        ])
    func binding(other: String) throws {
        let made = try query("filter.diet=herbivorous").moved(
            to: .after(KeysetPosition(value: .text("a"), id: .version7())))
        let cursor = try #require(FormEncoding.decode(made.text(for: Self.configuration).utf8).value("after"))
        #expect(try query("filter.diet=herbivorous&after=\(cursor)").cursor != nil)
        #expect(throws: ListQueryError.invalidCursor) { try query(other + "&after=" + cursor) }
    }

    @Test("Blank fields have no effect")
    func blanks() throws {
        let query = try query("q=+&filter.diet=&filter.legs.from=&filter.legs.to=+&filter.category=&sort=name")
        #expect(!query.isFiltered)
        #expect(query.text(for: Self.configuration) == "")
    }

    @Test("An unknown choice is rejected with the labels of the choices")
    func unknownChoice() throws {
        let labels = try #require(Self.schema.property("diet")).choiceLabels
        #expect(labels.prefix(2) == ["Herbivorous", "Carnivorous"])
        let advice = "Choose one of: \(labels.joined(separator: ", "))."
        #expect(throws: ListQueryError.unreadable(filter: "Diet", advice: advice)) { try query("filter.diet=wood") }
    }

    @Test("A repeated value counts once")
    func twice() throws {
        #expect(try query("filter.diet=carnivorous&filter.diet=carnivorous").settings.first?.values.count == 1)
    }

    @Test(
        "A repeated field that takes only one value is rejected",
        arguments: [
            ("q=a&q=b", "q"), ("sort=name&sort=legs", "sort"),
            ("filter.legs.from=1&filter.legs.from=2", "filter.legs.from"),
            ("filter.diet=carnivorous&filter.born.to=2026-01-01&filter.born.to=2026-01-01", "filter.born.to"),
            ("after=a&after=b", "after"),
        ])
    func ambiguous(text: String, name: String) {
        #expect(throws: ListQueryError.ambiguous(name: name)) { try query(text) }
    }

    @Test(
        "\"No value\" and \"Has a value\" together filter nothing",
        arguments: [
            "filter.note.empty=1&filter.note.empty=0", "filter.legs.empty=0&filter.legs.empty=1&filter.legs.from=2",
        ])
    func noneAndAny(text: String) throws {
        #expect(try !query(text).isFiltered)
    }

    @Test(
        "A reversed range of numbers, dates or times is detected",
        arguments: [
            ("legs.from=8", "legs.to=2", true), ("legs.from=2", "legs.to=2", false),
            ("legs.from=-3", "legs.to=2", false),
            ("weight.from=0.5", "weight.to=-0.5", true), ("price.from=10.00", "price.to=9.99", true),
            ("price.from=9", "price.to=10", false),
            ("born.from=2026-03-01", "born.to=2026-02-28", true), ("born.from=2026-03-01", "born.to=2026-03-01", false),
            ("seen.from=2026-03-01T12:00:00Z", "seen.to=2026-03-01", false),
            ("seen.from=2026-03-02T12:00:00Z", "seen.to=2026-03-01", true),
            ("seen.from=2026-03-01", "seen.to=2026-03-01T00:00:00Z", false),
        ])
    func reversedRange(lower: String, upper: String, isReversedRange: Bool) throws {
        let setting = try #require(try query("filter.\(lower)&filter.\(upper)").settings.first)
        #expect(Self.configuration.filter(setting.property)?.isReversedRange(setting) == isReversedRange)
    }

    @Test(
        "An unknown filter is rejected",
        arguments: [
            "filter.wings=2", "filter.=1", "filter.name=x", "filter.diet.from=a", "filter.legs=4",
            "filter.diet.empty=1", "filter.note=x",
            "filter.legs.from.x=1", "filter.legs.by=1", "filter.Diet=carnivorous",
        ])
    func unknown(text: String) {
        #expect(throws: ListQueryError.unknownFilter) { try query(text) }
    }

    @Test(
        "An invalid value is rejected with the label of the filter and advice",
        arguments: [
            ("filter.diet=frugivorous", "Diet"), ("filter.isTame=perhaps", "Is tame"),
            ("filter.legs.from=many", "Legs"),
            ("filter.legs.to=99999999999999999999", "Legs"), ("filter.weight.from=inf", "Weight"),
            ("filter.price.to=1.234", "Price"),
            ("filter.born.from=2026-02-30", "Born"), ("filter.seen.from=yesterday", "Seen"),
            ("filter.category=mammals", "Category"),
            ("filter.legs.empty=maybe", "Legs"),
        ])
    func unreadable(text: String, label: String) {
        #expect {
            try query(text)
        } throws: { error in
            guard case .unreadable(label, let advice)? = error as? ListQueryError else { return false }
            return !advice.isEmpty
        }
    }

    @Test("The length of the search text and the number of filter values are limited")
    func bounds() {
        let ids = (0..<51).map { _ in "filter.category=" + UUID.version7().canonicalText }.joined(separator: "&")
        #expect(throws: ListQueryError.tooManyValues(filter: "Category")) { try query(ids) }
        #expect(throws: ListQueryError.searchTooLong) { try query("q=" + String(repeating: "a", count: 201)) }
        #expect(throws: ListQueryError.unreadableSearch) { try query("q=a%00b") }
        #expect(throws: ListQueryError.noSearch) { try ListQuery([FormField(name: "q", value: "a")], for: animals) }
    }

    @Test("Sorting and paging keep search and filters, and removing a filter keeps the others")
    func links() throws {
        let query = try query("q=kom&filter.diet=carnivorous&filter.legs.from=2&size=20")
        #expect(
            query.sorted(by: "legs").text(for: Self.configuration)
                == "q=kom&filter.diet=carnivorous&filter.legs.from=2&sort=legs&size=20")
        #expect(query.moved(to: nil).settings == query.settings)
        let fewer = query.filtered(
            search: query.search, settings: query.settings.filter { $0.property != "diet" }, for: Self.configuration)
        #expect(fewer.text(for: Self.configuration) == "q=kom&filter.legs.from=2&size=20")
    }
}
