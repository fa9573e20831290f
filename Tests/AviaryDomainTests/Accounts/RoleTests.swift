import AviaryDomain
import Foundation
import Testing

@Suite("Roles")
struct RoleTests {
    private func may(_ role: Role) -> Set<ModelAction> {
        Set(ModelAction.allCases.filter { role.allows($0, on: "Animal") })
    }

    @Test("A viewer can view records, and an editor and an admin can change them")
    func builtIn() {
        #expect(may(.viewer) == [.view])
        #expect(may(.editor) == Set(ModelAction.allCases))
        #expect(may(.admin) == Set(ModelAction.allCases))
    }

    @Test("Only an admin can manage accounts and backups")
    func tasks() {
        #expect(AdminPermission.allCases.filter { Role.viewer.allows($0) }.isEmpty)
        #expect(AdminPermission.allCases.filter { Role.editor.allows($0) } == [.activity])
        #expect(AdminPermission.allCases.allSatisfy { Role.admin.allows($0) })
    }

    @Test("A custom role allows the actions that it names on the models that it names")
    func own() throws {
        let keeper = Role(
            "keeper", .allow(.add, .edit, on: Account.self), .allow(.view, on: AuditEvent.self), .task(.activity))
        #expect(keeper.allows(.view, on: "aviary_account"), "whoever adds also views")
        #expect(keeper.allows(.add, on: "aviary_account") && !keeper.allows(.delete, on: "aviary_account"))
        #expect(keeper.allows(.view, on: "aviary_event") && !keeper.allows(.edit, on: "aviary_event"))
        #expect(!keeper.allows(.view, on: "Animal"))
        #expect(keeper.allows(.activity) && !keeper.allows(.accounts))
    }

    @Test("A role that allows no action on a model cannot view the model")
    func nothing() {
        #expect(!Role("guest", .allow(on: Account.self)).allows(.view, on: "aviary_account"))
        #expect(!Role("guest").allows(.view, on: "Animal"))
    }

    @Test(
        "An invalid role declaration is rejected",
        arguments: [
            Role("admin"), Role(""), Role("Keeper"), Role("night shift"), Role(String(repeating: "a", count: 41)),
            Role("keeper", .allow(.view, on: Account.self)),
        ])
    func mistakes(role: Role) {
        #expect(throws: RoleError.self) { try Roles([role], models: ["Animal"]) }
    }

    @Test("Two roles with the same name are rejected")
    func twice() {
        #expect(throws: RoleError.self) { try Roles([Role("keeper"), Role("keeper")]) }
    }

    @Test("An access check hides models that a role cannot view, and forbids other actions")
    func checks() throws {
        let schema = Account.schema
        func principal(_ role: Role) -> Principal { Principal(account: UUID(), name: "ada", role: role, epoch: 1) }
        #expect(throws: AccessError.hidden) { try principal(Role("guest")).check(.edit, schema) }
        #expect(throws: AccessError.forbidden) { try principal(.viewer).check(.edit, schema) }
        #expect(throws: Never.self) { try principal(.editor).check(.edit, schema) }
        #expect(throws: AccessError.forbidden) { try principal(.editor).check(.accounts) }
    }

    @Test("A role can require a second factor and can replace a built-in role")
    func requiredSecondFactor() throws {
        let admin = Role.admin.requiringSecondFactor()
        #expect(admin.requiresSecondFactor && !Role.admin.requiresSecondFactor)
        #expect(admin.covers(.admin) && Role.admin.covers(admin))
        let keeper = Role("keeper", .task(.activity)).requiringSecondFactor()
        let roles = try Roles([keeper, admin])
        #expect(roles.all.map(\.name) == ["viewer", "editor", "admin", "keeper"])
        #expect(roles.all.map(\.requiresSecondFactor) == [false, false, true, true])
        #expect(throws: RoleError.self, "It allows less than the built-in one.") {
            try Roles([Role("admin").requiringSecondFactor()])
        }
        #expect(throws: RoleError.self, "It changes nothing.") { try Roles([.admin]) }
    }

    @Test("A role covers each role that allows no more")
    func covers() {
        let clerk = Role("clerk", .task(.accounts), .allow([.edit], onModelNamed: "Animal"))
        for role in [Role.viewer, .editor, .admin, clerk] {
            #expect(role.covers(role) && Role.admin.covers(role) && role.covers(Role("none")))
        }
        #expect(Role.editor.covers(.viewer) && !Role.viewer.covers(.editor) && !Role.editor.covers(.admin))
        #expect(!clerk.covers(.viewer) && !Role.editor.covers(clerk))
        #expect(clerk.covers(Role("reader", .allow([.view], onModelNamed: "Animal"))))
        #expect(Role.viewer.covers(Role("reader", .allow([.view], onModelNamed: "Animal"))))
    }

    @Test("A role with hidden or read-only properties does not cover a role without them")
    func coversRules() {
        func role(areHidden: Bool) -> Role {
            let rule = Permission.properties(["diet"], ofModelNamed: "Animal", areHidden: areHidden)
            return Role("part", .allow([.edit], onModelNamed: "Animal"), rule)
        }
        let whole = Role("whole", .allow([.edit], onModelNamed: "Animal"))
        for areHidden in [true, false] {
            let part = role(areHidden: areHidden)
            #expect(whole.covers(part) && part.covers(part) && !part.covers(whole))
        }
        #expect(role(areHidden: false).covers(role(areHidden: true)))
        #expect(!role(areHidden: true).covers(role(areHidden: false)))
    }
}
