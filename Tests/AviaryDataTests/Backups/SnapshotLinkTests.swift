import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: links")
struct SnapshotLinkTests {
    private let emma = Book(name: "Emma"), jane = Author(name: "Jane"), ada = Person(name: "Ada"),
        ben = Person(name: "Ben")

    private func fixture() async throws -> StoreFixture {
        let fixture = try StoreFixture.links()
        try await fixture.insert(emma, jane, ada, ben)
        try await fixture.submit(
            .link(emma, \.authors, jane), .link(ben, \.friends, ada), .link(ada, \.friends, ada),
            .link(ada, \.follows, ben)
        )
        return fixture
    }

    private func snapshots(_ fixture: StoreFixture, _ schema: Schema? = nil) -> SQLSnapshotRepository {
        SQLSnapshotRepository(
            data: fixture.directory.path, app: "Library", schema: schema ?? fixture.schema, sortIndexes: [],
            runningStore: { fixture.store }
        )
    }

    private func backup(_ fixture: StoreFixture) async throws -> String {
        try await snapshots(fixture).create(at: .standard, level: 1).path ?? ""
    }

    @Test("Each link is one line, and the first and last lines count the links")
    func lines() async throws {
        let fixture = try await fixture()
        let text = try SnapshotText(try await backup(fixture))
        #expect(
            text.lines.contains(
                #"{"link":{"model":"Book","property":"authors","id":"\#(emma.id)","target":"\#(jane.id)"}}"#
            ))
        #expect(text.lines.count { $0.hasPrefix(#"{"link":"#) } == 4)
        #expect(
            text.lines.first?.contains(
                #"{"model":"Book","property":"authors","target":"Author","count":1}"#
            ) == true)
        let commits = text.lines.count { $0.hasPrefix(#"{"commit":"#) }
        #expect(text.lines.last?.hasPrefix(#"{"end":true,"records":\#(8 + commits),"#) == true)
    }

    @Test("A restore brings back exactly the links of the snapshot")
    func restored() async throws {
        let fixture = try await fixture()
        let before = try fixture.linkLines()
        #expect(before.count == 5)
        let path = try await backup(fixture)
        try await fixture.submit(.unlink(emma, \.authors, jane), .link(ada, \.follows, ada), ben.deletion)
        #expect(try fixture.linkLines() != before)
        let summary = try await snapshots(fixture).restore(from: path).snapshot
        #expect(summary.records == 4)
        #expect(summary.links == 4)
        #expect(try fixture.linkLines() == before)
        try await fixture.submit(.unlink(ada, \.friends, ben))
        #expect(try fixture.linked(ben, "friends") == [])
    }

    @Test("Links may precede their records")
    func order() async throws {
        let fixture = try await fixture()
        var text = try SnapshotText(try await backup(fixture))
        let body = text.lines.dropFirst().dropLast()
        text.lines.replaceSubrange(1..<(text.lines.count - 1), with: body.reversed())
        try text.close()
        #expect(try await verify(text, fixture) == nil)
    }

    @Test("The first line omits links if the schema has none")
    func withoutLinks() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        #expect(try SnapshotText(try await fixture.backup()).lines.first?.contains("links") == false)
    }

    @Test(
        "An invalid link is rejected",
        arguments: [
            "missing source", "missing target", "twice", "too few", "too many", "no relation", "other side", "part",
            "no UUID", "record too",
        ])
    func spoiled(how: String) async throws {
        let fixture = try await fixture()
        var text = try SnapshotText(try await backup(fixture))
        let number = (text.lines.firstIndex { $0.hasPrefix(#"{"link":{"model":"Book""#) } ?? 0) + 1
        let other = UUID.version7().canonicalText
        let reason: SnapshotError.Reason?
        switch how {
        case "missing source":
            text.replace(emma.id.description, with: other, inLine: number)
            reason = .missingLinkEnd(model: "Book", property: "authors")
        case "missing target":
            text.replace(jane.id.description, with: other, inLine: number)
            reason = .missingLinkEnd(model: "Book", property: "authors")
        case "twice":
            text.lines.insert(text.lines[number - 1], at: number)
            text.replace(#""target":"Author","count":1"#, with: #""target":"Author","count":2"#, inLine: 1)
            reason = .duplicateLink(model: "Book", property: "authors")
        case "too few":
            text.lines.remove(at: number - 1)
            reason = .wrongCount(model: "Book.authors", expected: 1, found: 0)
        case "too many":
            text.replace(#""target":"Author","count":1"#, with: #""target":"Author","count":0"#, inLine: 1)
            reason = .wrongCount(model: "Book.authors", expected: 0, found: 1)
        case "no relation":
            text.replace(#""authors""#, with: #""chapters""#, inLine: number)
            reason = nil
        case "other side":
            text.replace(
                #""model":"Book","property":"authors""#, with: #""model":"Author","property":"books""#, inLine: number)
            reason = nil
        case "part":
            text.replace(#""id""#, with: #""more":1,"id""#, inLine: number)
            reason = nil
        case "no UUID":
            text.replace(jane.id.description, with: jane.id.description.uppercased(), inLine: number)
            reason = nil
        default:
            text.replace(#"{"link""#, with: #"{"model":"Book","link""#, inLine: number)
            reason = nil
        }
        try text.close()
        let error = try await verify(text, fixture)
        if let reason {
            #expect(error?.reason == reason)
        } else {
            guard case .malformedRecord = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.line == number)
        }
    }

    @Test("A relation that the program lacks is reported, and a relation that the snapshot lacks starts empty")
    func otherSchema() async throws {
        let fixture = try await fixture()
        let path = try await backup(fixture)
        let without = try Schema([
            ModelSchema(name: "Book", properties: [.made("name", .string)]), Author.unrelated, Chapter.schema,
            Person.schema,
        ])
        let error = await #expect(throws: SnapshotError.self) { try await snapshots(fixture, without).verify(path) }
        guard case .cannotMigrate(let reasons)? = error?.reason else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(reasons.count == 1 && reasons[0].contains("Book.authors"), "its links would be lost: \(reasons)")
        var text = try SnapshotText(path)
        text.lines.removeAll { $0.contains(#"{"link":{"model":"Book""#) }
        text.replace(#"{"model":"Book","property":"authors","target":"Author","count":1},"#, with: "", inLine: 1)
        try text.close()
        #expect(try await verify(text, fixture) == nil)
    }

    private func verify(_ text: SnapshotText, _ fixture: StoreFixture) async throws -> SnapshotError? {
        let path = fixture.temporary.path + "/\(UUID().uuidString).jsonl.gz"
        try text.write(to: path)
        do {
            _ = try await snapshots(fixture).verify(path)
            return nil
        } catch let error as SnapshotError {
            return error
        }
    }
}

extension Author {
    /// The model without its relation.
    fileprivate static let unrelated = ModelSchema(Author.self, [.init(\.name, "name")])
}
