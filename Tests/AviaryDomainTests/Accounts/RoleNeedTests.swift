import Testing

@testable import AviaryDomain

@Suite("A role can view what it needs to save")
struct RoleNeedTests {
    private static let telescope = model("Telescope", property("name", .string, attributes: [.required]))

    private func schema(reference: PropertySchema = property("telescope", .toOne(model: "Telescope"))) throws -> Schema
    {
        try Schema([Self.telescope, model("Observation", property("seeing", .double), reference)])
    }

    private func roles(_ permissions: Permission...) throws -> Roles {
        try Roles([Role("observer", permissions)], models: ["Telescope", "Observation"])
    }

    @Test("A role that may add records but not view what they must refer to is an error that says what to do")
    func add() throws {
        let roles = try roles(.allow([.add], onModelNamed: "Observation"))
        let error = #expect(throws: RoleError.self) { try roles.check(against: try schema()) }
        #expect(error?.role == "observer")
        #expect(
            error?.reason
                == "may add Observation but cannot view Telescope, which Observation.telescope must refer to: it could add no record. Add .allow(.view, on: Telescope.self), make Observation.telescope optional, or do not allow .add."
        )
    }

    @Test("A role that may view what its records must refer to is valid, and so is an optional reference")
    func valid() throws {
        let seeing = try roles(
            .allow([.add, .edit], onModelNamed: "Observation"), .allow([.view], onModelNamed: "Telescope"))
        try seeing.check(against: try schema())
        #expect(seeing.warnings(in: try schema()).isEmpty)
        let optional = property("telescope", .toOne(model: "Telescope"), isOptional: true)
        let blind = try roles(.allow([.add, .edit], onModelNamed: "Observation"))
        try blind.check(against: try schema(reference: optional))
        #expect(blind.warnings(in: try schema(reference: optional)).isEmpty)
    }

    @Test("A role that may only edit such records is valid, with a warning")
    func edit() throws {
        let roles = try roles(.allow([.edit], onModelNamed: "Observation"))
        try roles.check(against: try schema())
        let warnings = roles.warnings(in: try schema())
        #expect(warnings.count == 1)
        #expect(warnings.first?.text.contains("Observation.telescope") == true)
        #expect(warnings.first?.advice.contains(".allow(.view, on: Telescope.self)") == true)
    }

    @Test("The built-in roles need nothing more")
    func builtIn() throws {
        let roles = try Roles()
        try roles.check(against: try schema())
        #expect(roles.warnings(in: try schema()).isEmpty)
    }
}
