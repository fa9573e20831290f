import Testing

@testable import AviaryDomain

private struct Guardian: Embedded {
    var phone: String
    static let embeddedProperties = [EmbeddedProperty(\Guardian.phone, "phone")]
}

private struct Contact: Embedded {
    var city: String?
    var phone: String?
    var floor: Int32
    var guardian: Guardian?
    static let embeddedProperties = [
        EmbeddedProperty(\Contact.city, "city"), EmbeddedProperty(\Contact.phone, "phone"),
        EmbeddedProperty(\Contact.floor, "floor"), EmbeddedProperty(\Contact.guardian, "guardian"),
    ]
}

private struct WithTel: Embedded {
    var city: String?
    var tel: String?
    var floor: Int32
    var guardian: Guardian?
    static let embeddedProperties = [
        EmbeddedProperty(\WithTel.city, "city"), EmbeddedProperty(\WithTel.tel, "tel"),
        EmbeddedProperty(\WithTel.floor, "floor"), EmbeddedProperty(\WithTel.guardian, "guardian"),
    ]
}

private struct Grown: Embedded {
    var city: String
    var phone: String?
    var floor: Double
    var country: String
    var zone: Int
    static let embeddedProperties = [
        EmbeddedProperty(\Grown.city, "city", default: "Vienna"), EmbeddedProperty(\Grown.phone, "phone"),
        EmbeddedProperty(\Grown.floor, "floor"), EmbeddedProperty(\Grown.country, "country", default: "AT"),
        EmbeddedProperty(\Grown.zone, "zone"),
    ]
}

private struct Retyped: Embedded {
    var city: String
    var phone: String?
    var floor: String
    var guardian: Guardian?
    static let embeddedProperties = [
        EmbeddedProperty(\Retyped.city, "city"), EmbeddedProperty(\Retyped.phone, "phone"),
        EmbeddedProperty(\Retyped.floor, "floor"), EmbeddedProperty(\Retyped.guardian, "guardian"),
    ]
}

private enum Channel: String, Choice { case mail, phone }
private enum Fewer: String, Choice { case phone, letter }

private struct Reached: Embedded {
    var channel: Channel
    static let embeddedProperties = [EmbeddedProperty(\Reached.channel, "channel")]
}

private struct ReachedOtherwise: Embedded {
    var channel: Fewer
    static let embeddedProperties = [EmbeddedProperty(\ReachedOtherwise.channel, "channel")]
}

@Suite("Changes of embedded structs")
struct EmbeddedChangeTests {
    private func schema<Value: Embedded>(_ type: Value.Type) throws -> Schema {
        try Schema([model("Person", property("home", .json, isOptional: true, traits: Value.traits))])
    }

    private func difference<Old: Embedded, New: Embedded>(
        _ old: Old.Type, _ new: New.Type, dropping dropped: Set<String> = []
    ) throws -> SchemaDifference {
        SchemaDifference(from: SchemaSummary(of: try schema(old)), to: try schema(new), dropping: dropped)
    }

    @Test("A struct that stays as it was is no change, and neither is one that the file does not describe")
    func same() throws {
        #expect(try difference(Contact.self, Contact.self).kind == .none)
        let undescribed = SchemaSummary(lines: ["Person.home json?"])
        #expect(SchemaDifference(from: undescribed, to: try schema(Contact.self)).kind == .none)
    }

    @Test("A renamed property is refused, because its values would be lost, with the ways out")
    func renamed() throws {
        let found = try difference(Contact.self, WithTel.self)
        #expect(found.kind == .refused && found.droppableNames == ["Person.home.phone"])
        #expect(
            found.refusals == [
                "Person.home.phone is in the file and not in the program, and records would lose its values when they are "
                    + "saved. Declare it again; if tel is its new name, keep the key in the JSON with CodingKeys: "
                    + #"case tel = "phone"; or give the values up: migrate --drop Person.home.phone."#
            ])
    }

    @Test("Values that are given up are named in the steps")
    func dropped() throws {
        let found = try difference(Contact.self, WithTel.self, dropping: ["Person.home.phone"])
        #expect(found.kind == .exclusive && found.refusals == [])
        #expect(found.steps.contains("stop reading Person.home.phone: a record loses its value when it is saved"))
    }

    @Test("A removed struct is one change, without those of its parts")
    func nested() throws {
        let missing = try difference(Contact.self, Grown.self).refusals.filter { $0.contains("guardian") }
        #expect(missing.count == 1 && missing.first?.hasPrefix("Person.home.guardian is in the file") == true)
    }

    @Test("New properties need an initial value or must be optional; a wider number is read")
    func added() throws {
        let found = try difference(Contact.self, Grown.self)
        #expect(
            found.refusals.contains(
                "Person.home.zone is new, and the records that are there have no value for it. Give it an initial value, or "
                    + "make it optional."))
        #expect(
            found.steps == [
                "add Person.home.country, which has its initial value in the records that are there",
                "let Person.home.floor, which was int32, be double",
            ])
    }

    @Test("A type that cannot read the stored values and an optional property that becomes mandatory are refused")
    func retyped() throws {
        let found = try difference(Contact.self, Retyped.self)
        #expect(found.refusals.count == 2 && found.steps == [])
        #expect(found.refusals.contains { $0.hasPrefix("Person.home.floor is int32 in the file and string in the") })
        #expect(found.refusals.contains { $0.hasPrefix("Person.home.city may be empty in the file") })
    }

    @Test("A choice that stored structs may have is kept")
    func choices() throws {
        let found = try difference(Reached.self, ReachedOtherwise.self)
        #expect(
            found.refusals == [
                "Person.home.channel no longer has the choice mail, which records may hold. Declare it again, or write a "
                    + "migration plan that converts Person."
            ])
        #expect(found.steps == ["add letter to the choices of Person.home.channel"])
    }
}
