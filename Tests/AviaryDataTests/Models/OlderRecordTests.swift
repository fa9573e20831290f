import AviaryData
import AviaryDomain
import Foundation
import TestSupport
import Testing

/// The model before its rules.
private struct LaxBox: Model {
    static var modelName: String { "Box" }

    var id = RecordID<LaxBox>()
    var code: String
    var size: Int
    var low: Int
    var high: Int

    static let schema = ModelSchema(
        LaxBox.self,
        [
            PropertyDefinition(\.code, "code"), PropertyDefinition(\.size, "size"), PropertyDefinition(\.low, "low"),
            PropertyDefinition(\.high, "high"),
        ])

    init(code: String, size: Int, low: Int = 0, high: Int = 1) {
        (self.code, self.size, self.low, self.high) = (code, size, low, high)
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        code = try reader.next("code")
        size = try reader.next("size")
        low = try reader.next("low")
        high = try reader.next("high")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(code)
        writer.bind(size)
        writer.bind(low)
        writer.bind(high)
    }
}

/// The same model with rules.
private struct Box: Model {
    var id = RecordID<Box>()
    var code: String
    var size: Int
    var low: Int
    var high: Int

    static let schema = ModelSchema(
        Box.self,
        [
            PropertyDefinition(\.code, "code", attributes: [.required, .length(3...)]),
            PropertyDefinition(\.size, "size", attributes: [.range(1...)]), PropertyDefinition(\.low, "low"),
            PropertyDefinition(\.high, "high"),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        code = try reader.next("code")
        size = try reader.next("size")
        low = try reader.next("low")
        high = try reader.next("high")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(code)
        writer.bind(size)
        writer.bind(low)
        writer.bind(high)
    }

    func validate() -> [FieldProblem] {
        high < low ? [FieldProblem(\Box.high, "Choose a number that is not below the low one.")] : []
    }
}

@Suite("A record that is older than a rule")
struct OlderRecordTests {
    private let temporary = TemporaryDirectory()

    /// Returns a store with the rules that has a record from before them.
    private func fixture(_ box: LaxBox) async throws -> StoreFixture {
        let before = try StoreFixture(try Schema([LaxBox.schema]), in: temporary)
        try await before.insert(box)
        await before.store.close()
        return try StoreFixture(try Schema([Box.schema]), in: temporary)
    }

    private func id(_ box: LaxBox) -> RecordID<Box> { RecordID(box.id.uuid) }

    @Test("It is changed where the change touches no broken rule, by update, save, a change set and the store")
    func untouched() async throws {
        let box = LaxBox(code: "a", size: 0)
        let fixture = try await fixture(box)
        let boxes = fixture.repository(Box.self), id = id(box)
        try await boxes.update(id) { $0.low = -1 }
        var whole = try #require(try await boxes.fetch(FetchDescriptor()).first)
        whole.low = -2
        try await boxes.save(whole)
        let changes = try await boxes.changes(updating: [id]) { $0.low = -3 }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        let stored = try #require(try await fixture.records(Box.self).find(id.uuid))
        try await fixture.submit(
            .update(
                model: "Box", id: id.uuid, version: stored.version,
                values: ["code": .text("a"), "size": .integer(0), "low": .integer(-4)]))
        let last = try #require(try await boxes.fetch(FetchDescriptor()).first)
        #expect(last.low == -4 && last.code == "a" && last.size == 0)
    }

    @Test("It is rejected where the change touches a property and breaks its rule, on each of these ways")
    func touched() async throws {
        let box = LaxBox(code: "a", size: 0)
        let fixture = try await fixture(box)
        let boxes = fixture.repository(Box.self), id = id(box)
        let broken = StoreError.invalid(
            model: "Box", [FieldProblem(property: "code", message: "Enter at least 3 characters.")])
        await #expect(throws: broken) { try await boxes.update(id) { $0.code = "b" } }
        var whole = try #require(try await boxes.fetch(FetchDescriptor()).first)
        whole.code = "b"
        await #expect(throws: broken) { try await boxes.save(whole) }
        let changes = try await boxes.changes(updating: [id]) { $0.code = "b" }
        await #expect(throws: broken) {
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        }
        try await boxes.update(id) { $0.code = "abc" }
    }

    @Test("A rule across properties is lenient only for a property that the change leaves as it is")
    func across() async throws {
        let box = LaxBox(code: "abc", size: 1, low: 5, high: 1)
        let fixture = try await fixture(box)
        let boxes = fixture.repository(Box.self), id = id(box)
        try await boxes.update(id) { $0.size = 2 }
        await #expect(throws: StoreError.self) { try await boxes.update(id) { $0.high = 2 } }
        try await boxes.update(id) { $0.high = 6 }
        await #expect(throws: StoreError.self, "A problem that the change causes is always rejected.") {
            try await boxes.update(id) { $0.low = 7 }
        }
    }

    @Test("A new record follows every rule")
    func added() async throws {
        let fixture = try await fixture(LaxBox(code: "a", size: 0))
        let refusal = await fixture.refusal(
            .insert(
                model: "Box", id: .version7(),
                values: ["code": .text("a"), "size": .integer(1), "low": .integer(0), "high": .integer(1)]))
        #expect(refusal?.code == .invalid)
    }
}
