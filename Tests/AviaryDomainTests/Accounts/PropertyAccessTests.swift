import Foundation
import Testing

@testable import AviaryDomain

@Suite("Access to properties")
struct PropertyAccessTests {
    private func principal(_ permissions: Permission...) -> Principal {
        Principal(account: UUID(), name: "kim", role: Role("kim", permissions), epoch: 1)
    }

    private var keeper: Principal {
        principal(
            .allow(.view, .add, .edit, on: Animal.self), .allow(.view, on: AnimalCategory.self), .hide(\Animal.diet),
            .readOnly(\Animal.category))
    }

    @Test("A role hides a property entirely, or makes it read-only")
    func role() {
        let keeper = keeper
        #expect(keeper.maySee("name", of: Animal.schema) && keeper.maySet("name", of: Animal.schema))
        #expect(!keeper.maySee("diet", of: Animal.schema) && !keeper.maySet("diet", of: Animal.schema))
        #expect(keeper.maySee("category", of: Animal.schema) && !keeper.maySet("category", of: Animal.schema))
        #expect(keeper.hiddenProperties(of: Animal.schema) == ["diet"])
        #expect(keeper.fixedProperties(of: Animal.schema) == ["diet", "category"])
    }

    @Test("No role can set a property that the admin declares read-only")
    func readOnly() {
        let admin = Principal(account: UUID(), name: "ada", role: .admin, epoch: 1)
        let schema = Animal.schema.readOnly(["diet"])
        #expect(admin.maySee("diet", of: schema) && !admin.maySet("diet", of: schema))
        #expect(admin.maySet("diet", of: Animal.schema))
    }

    @Test("A relation to a model that a role cannot view is hidden and cannot be set")
    func hiddenModel() {
        let keeper = principal(.allow(.view, .edit, on: Animal.self))
        #expect(!keeper.maySee("category", of: Animal.schema) && !keeper.maySet("category", of: Animal.schema))
    }

    @Test("The check of a change set names the first property that the role cannot set")
    func changes() {
        let id = UUID()
        func refused(_ change: Change) -> String? {
            keeper.refusedProperty(in: [.delete(model: "Animal", id: id), change], zooSchema.model)?.property
        }
        #expect(refused(.insert(model: "Animal", id: id, values: ["name": .text("Kea")])) == nil)
        #expect(refused(.insert(model: "Animal", id: id, values: ["name": .text("Kea"), "diet": .null])) == "diet")
        #expect(refused(.update(model: "Animal", id: id, version: 1, values: ["category": .null])) == "category")
        #expect(refused(.link(model: "Animal", property: "diet", id: id, target: id)) == "diet")
        #expect(refused(.unlink(model: "Animal", property: "category", id: id, target: id)) == "category")
        #expect(refused(.insert(model: "Ghost", id: id, values: ["name": .null])) == "name")
    }

    @Test(
        "A new record omits a default that the role cannot set, and other changes stay unchanged")
    func defaults() {
        let id = UUID()
        let insert = Change.insert(
            model: "Animal", id: id, values: ["name": .text("Kea"), "diet": .text("herbivorous"), "category": .null])
        let update = Change.update(model: "Animal", id: id, version: 1, values: ["diet": .text("carnivorous")])
        let found = keeper.leavingDefaults(to: [insert, update], zooSchema.model)
        #expect(found == [.insert(model: "Animal", id: id, values: ["name": .text("Kea")]), update])
        #expect(keeper.refusedProperty(in: found, zooSchema.model)?.property == "diet")
    }

    @Test("The admin omits a hidden property from columns, filters, search, sort order and form")
    func configuration() throws {
        let diet = try #require(Animal.schema.property("diet")), name = try #require(Animal.schema.property("name"))
        let whole = ModelConfiguration(
            schema: Animal.schema, columns: ["diet", "name", "category"], searched: [name],
            filters: ["diet", "category"].compactMap { Animal.schema.property($0).flatMap { ListFilter($0) } },
            ordering: ListOrder(property: diet.name, direction: .descending))
        let seen = whole.seen(by: keeper)
        #expect(seen.columns == ["name", "category"] && seen.filters.map(\.property) == ["category"])
        #expect(seen.searched.map(\.name) == ["name"])
        #expect(seen.defaultSort == ListOrder(property: "name", direction: .ascending))
        #expect(!seen.sortableColumns.contains("diet"))
        #expect(seen.sheet.layout(of: Animal.schema).flatMap(\.fields) == ["name", "category"])
        #expect(!seen.sheet.isEditable("diet") && !seen.sheet.isEditable("category") && seen.sheet.isEditable("name"))
        #expect(whole.seen(by: principal(.allowEverywhere(.view, .edit))).columns == whole.columns)
    }

    @Test(
        "A role with an invalid property rule is rejected",
        arguments: [
            (Role("a", .allow(.add, on: Animal.self), .readOnly(\Animal.name)), "could add no record"),
            (Role("a", .hide(\Animal.id)), "is no property"),
        ])
    func mistakes(role: Role, reason: String) {
        let error = #expect(throws: RoleError.self) { try Roles([role], models: ["Animal", "AnimalCategory"]) }
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("A role that cannot add records can make a required property read-only")
    func needed() throws {
        let role = Role("editor-only", .allow(.edit, on: Animal.self), .readOnly(\Animal.name))
        #expect(throws: RoleError.self) { try Roles([role], models: []) }
        _ = try Roles([role], models: ["Animal"])
    }
}
