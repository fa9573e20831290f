import AviaryDomain
import Testing

@testable import AviaryData

private struct Home: Embedded {
    var city: String?
    var phone: String?
    static let embeddedProperties = [EmbeddedProperty(\Home.city, "city"), EmbeddedProperty(\Home.phone, "phone")]
}

private struct LaterHome: Embedded {
    var city: String?
    var tel: String?
    static let embeddedProperties = [
        EmbeddedProperty(\LaterHome.city, "city"), EmbeddedProperty(\LaterHome.tel, "tel"),
    ]
}

@Suite("Migration of embedded structs")
struct EmbeddedMigrationTests {
    private func schema<Value: Embedded>(_ type: Value.Type) throws -> Schema {
        let home = PropertySchema(
            name: "home", type: .json, isOptional: true, attributes: [], keyPath: \Record.id, relationship: nil,
            makeDefault: nil, traits: Value.traits)
        return try Schema([ModelSchema(name: "Animal", properties: [home])])
    }

    @Test("A store is not opened when a property of a struct would be lost, and its values stay")
    func refused() async throws {
        let old = try MigratedStore(from: try schema(Home.self))
        _ = try await old.insert(["home": .text(#"{"city":"Wien","phone":"123"}"#)])
        let new = try schema(LaterHome.self)
        #expect(try old.plan(new).refusals.count == 1 && old.plan(new).droppableNames == ["Animal.home.phone"])
        await #expect(throws: StoreOpenError.self) { _ = try await old.open(new) }
        #expect(try old.values(new) == [[.text(#"{"city":"Wien","phone":"123"}"#)]])
    }

    @Test("Values that are given up stay in the file until a record is saved, and the change is made once")
    func dropped() async throws {
        let old = try MigratedStore(from: try schema(Home.self))
        _ = try await old.insert(["home": .text(#"{"city":"Wien","phone":"123"}"#)])
        let new = try schema(LaterHome.self)
        _ = try await old.open(new, MigrationInstructions(dropping: ["Animal.home.phone"]))
        #expect(try old.values(new) == [[.text(#"{"city":"Wien","phone":"123"}"#)]])
        #expect(try old.plan(new).kind == .none)
    }

    @Test("A store of before structs were recorded is opened, and records them")
    func recorded() async throws {
        let old = try MigratedStore(from: try schema(Home.self))
        let store = try await old.open(try schema(Home.self))
        try await store.configure { try $0.run("DELETE FROM aviary_meta WHERE key = 'embedded_structs'") }
        #expect(try old.plan(schema(LaterHome.self)).kind == .none)
        _ = try await old.open(try schema(Home.self))
        #expect(try old.plan(schema(LaterHome.self)).kind == .refused)
    }
}
