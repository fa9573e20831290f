import Foundation
import Testing

@testable import AviaryDomain

private struct Shelf: Model {
    var id = RecordID<Shelf>()
    var name = ""
    var items = Related<Item>()
    var labels = Related<Label>()

    static let schema = ModelSchema(
        Shelf.self,
        [
            .init(\.name, "name"),
            .init(\.items, "items", relationship: .init(maximumModelCount: 2, inverse: \Item.shelf)),
            .init(
                \.labels, "labels",
                relationship: .init(minimumModelCount: 1, maximumModelCount: 2, inverse: \Label.shelves)),
        ])

    init(from reader: inout FieldReader) throws { name = try reader.next("name") }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

private struct Item: Model {
    var id = RecordID<Item>()
    var number = 0
    var part: String?
    var shelf: Reference<Shelf>?

    static let schema = ModelSchema(
        Item.self, [.init(\.number, "number"), .init(\.part, "part"), .init(\.shelf, "shelf")],
        uniqueConstraints: [[\Item.shelf, \Item.number, \Item.part]]
    )

    init(from reader: inout FieldReader) throws { number = try reader.next("number") }
    func bind(to writer: inout FieldWriter) { writer.bind(number) }
}

private struct Label: Model {
    var id = RecordID<Label>()
    var name = ""
    var shelves = Related<Shelf>()

    static let schema = ModelSchema(
        Label.self,
        [
            .init(\.name, "name"), .init(\.shelves, "shelves", relationship: .init(maximumModelCount: 2)),
        ])

    init(from reader: inout FieldReader) throws { name = try reader.next("name") }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

@Suite("Rules that an import checks for each line")
struct CSVImportRuleTests {
    private static let top = UUID.version7(), red = UUID.version7(), blue = UUID.version7(), green = UUID.version7()

    @Test("A combination of values must be unique in the file and in the store, unless a value is null")
    func uniqueTogether() async {
        #expect(
            await errors(Item.schema, "number,part,shelf\n1,a,top\n1,b,top\n1,a,top\n2,,top\n2,,top\n7,a,top\n") == [
                "line 4: shelf, number and part: Line 2 has the same values. The combination must be unique.",
                "line 7: shelf, number and part: These values already exist. The combination must be unique.",
            ])
    }

    @Test("A line with too few or too many links is an error, and a repeated link counts once")
    func ownLinks() async {
        #expect(
            await errors(Shelf.schema, "name,labels\nA,\nB,red;blue;green\nC,red; red ;blue\n") == [
                "line 2: labels: A shelf must have at least 1 of its labels. This one would have 0.",
                "line 3: labels: A shelf must have at most 2 of its labels. This one would have 3.",
            ])
    }

    @Test("A record without a column for required links is an error")
    func noColumn() async {
        #expect(
            await errors(Shelf.schema, "name\nA\n") == [
                "line 2: Labels: A shelf must have at least 1 of its labels. This one would have 0."
            ])
    }

    @Test("The first line that gives a named record too many links is an error, counting stored links")
    func others() async {
        #expect(
            await errors(Shelf.schema, "name,labels\nA,red\nB,red\nC,red\nD,red\n") == [
                "line 4: A label must have at most 2 of its shelves. One that this line names would have 4."
            ])
        #expect(
            await errors(Shelf.schema, "name,labels\nA,red\n", counts: [Self.red: 2]) == [
                "line 2: A label must have at most 2 of its shelves. One that this line names would have 3."
            ])
        #expect(
            await errors(Item.schema, "number,shelf\n1,top\n2,top\n3,top\n") == [
                "line 4: A shelf must have at most 2 of its items. One that this line names would have 3."
            ])
    }

    @Test("A related record that the import creates is checked too")
    func made() async {
        #expect(
            await errors(Item.schema, "number,shelf\n1,new\n", createRelated: true) == [
                "line 2: A shelf must have at least 1 of its labels. One that this line names would have 0."
            ])
    }

    @Test("A line with an invalid value gets no count error, and errors are in line order")
    func order() async {
        #expect(
            await errors(Shelf.schema, "name,labels\nA,\nB,nobody\nC,\n") == [
                "line 2: labels: A shelf must have at least 1 of its labels. This one would have 0.",
                "line 3: labels: No label has this name.",
                "line 4: labels: A shelf must have at least 1 of its labels. This one would have 0.",
            ])
    }

    /// Returns the errors of the file's lines; empty if the file can be imported.
    private func errors(_ model: ModelSchema, _ text: String, createRelated: Bool = false, counts: [UUID: Int] = [:])
        async -> [String]
    {
        let titles = ["top": Self.top, "red": Self.red, "blue": Self.blue, "green": Self.green]
        let stored = StoredInMemory(known: Set(titles.values), counts: counts) { _, values in
            if case .text(let title)? = values["name"] { return titles[title].map { [$0] } ?? [] }
            return values["number"] == .integer(7) && values.count == 3 ? [UUID()] : []
        }
        do {
            let schema = try Schema([Shelf.schema, Item.schema, Label.schema])
            _ = try await RecordImport(model: model, schema: schema, createRelated: createRelated).plan(
                Array(text.utf8), lookUp: stored)
            return []
        } catch {
            return String(describing: error).split(separator: "\n").map(String.init)
        }
    }
}
