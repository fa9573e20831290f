import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Secrets and the history")
struct SecretHistoryTests {
    @Test("The history of an insert, an update and a delete contains no secrets")
    func history() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        var hay = Supplier("Hay & Co", accessKey: "opensesame-1", pin: "pin-4711")
        var receipt = try await fixture.insert(hay)
        hay.accessKey = "opensesame-2"
        hay.name = "Hay & Sons"
        receipt = try await fixture.submit(hay.update(from: receipt.commit))
        let update = try #require(try await fixture.changes(of: receipt).first)
        try await fixture.submit(.delete(model: "Supplier", id: hay.id.uuid))
        let rows = try contents(of: fixture.directory.path).filter { $0.hasPrefix("aviary_") }
        #expect(rows.count { $0.contains("Hay &") } == 3)
        #expect(!rows.contains { $0.contains("opensesame") || $0.contains("pin-4711") })
        // The history shows that the value changed.
        #expect(update.fields["accessKey"]?.isSecret == true)
        #expect(update.fields["accessKey"]?.after == .null)
        #expect(update.fields["name"]?.isSecret == false)
        #expect(update.fields["pin"] == nil)
    }

    @Test("The history shows that a secret was empty")
    func none() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        let receipt = try await fixture.insert(Supplier("Hay & Co", pin: "pin-4711"))
        let fields = try #require(try await fixture.changes(of: receipt).first?.fields)
        #expect(fields["accessKey"] == FieldChange(before: .null, after: .null))
        #expect(fields["pin"]?.isSecret == true)
    }

    @Test("An update of a secret cannot be undone, and the error names the property")
    func undoOfUpdate() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        var hay = Supplier("Hay & Co", accessKey: "opensesame-1")
        var receipt = try await fixture.insert(hay)
        hay.accessKey = "opensesame-2"
        receipt = try await fixture.submit(hay.update(from: receipt.commit))
        let refusal = await fixture.undoRefusal(of: receipt.commit)
        #expect(refusal == [.secret(model: "Supplier", id: hay.id.uuid, property: "accessKey")])
        #expect(refusal?.first?.description.contains("opensesame") == false)
        #expect(try await fixture.find(hay)?.values[1] == .text("opensesame-2"))
    }

    @Test("Undoing an update of another property keeps the secret")
    func undoBesideSecret() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        var hay = Supplier("Hay & Co", accessKey: "opensesame-1")
        var receipt = try await fixture.insert(hay)
        hay.name = "Hay & Sons"
        receipt = try await fixture.submit(hay.update(from: receipt.commit))
        try await fixture.undo(receipt.commit)
        #expect(try await fixture.find(hay)?.values == [.text("Hay & Co"), .text("opensesame-1"), .text("")])
    }

    @Test("Undoing a delete restores the record without its secrets")
    func undoOfDelete() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        let hay = Supplier("Hay & Co", accessKey: "opensesame-1", pin: "pin-4711")
        try await fixture.insert(hay)
        let receipt = try await fixture.submit(.delete(model: "Supplier", id: hay.id.uuid))
        try await fixture.undo(receipt.commit)
        #expect(try await fixture.find(hay)?.values == [.text("Hay & Co"), .null, .text("")])
    }

    @Test("The insert of a record with a secret can be undone")
    func undoOfInsert() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        let hay = Supplier("Hay & Co", accessKey: "opensesame-1")
        let receipt = try await fixture.insert(hay)
        try await fixture.undo(receipt.commit)
        #expect(try await fixture.find(hay) == nil)
    }

    @Test("A store error names the property of a secret but not its value")
    func errors() async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        try await fixture.insert(Supplier("Hay & Co", accessKey: "opensesame-1"))
        let refusal = try #require(await fixture.refusal(Supplier("Other", accessKey: "opensesame-1").insertion))
        #expect(refusal == .notUnique(model: "Supplier", property: "accessKey"))
        #expect(!"\(refusal) \(refusal.redacted)".contains("opensesame"))
    }
}
