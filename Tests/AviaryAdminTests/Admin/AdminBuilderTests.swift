import Aviary
import Testing

@testable import AviaryAdmin

@Suite("The declarations of an admin")
struct AdminBuilderTests {
    @AdminBuilder
    private func admin(isLarge: Bool, count: Int = 0) -> AdminGroup {
        ModelAdmin(Hive.self)
        if isLarge {
            ModelAdmin(Bee.self)
        }
        if count > 1 {
            ModelAdmin(Bee.self)
        } else {
            ModelAdmin(Hive.self)
        }
        for _ in 0..<count {
            ModelAdmin(Bee.self)
        }
    }

    private func names(_ admin: AdminGroup) -> [String] { admin.registrations.map(\.schema.name) }

    @Test("Conditions and loops declare models in their order")
    func conditions() {
        #expect(names(admin(isLarge: false)) == ["Hive", "Hive"])
        #expect(names(admin(isLarge: true)) == ["Hive", "Bee", "Hive"])
        #expect(names(admin(isLarge: false, count: 2)) == ["Hive", "Bee", "Bee", "Bee"])
    }

    @Test("A group of declarations is a part of others, in its place")
    func groups() {
        let bees = AdminGroup {
            ModelAdmin(Bee.self)
        }
        let whole = AdminGroup {
            ModelAdmin(Hive.self)
            bees
            ModelAdmin(Hive.self)
        }
        #expect(names(whole) == ["Hive", "Bee", "Hive"])
    }

    @Test("The models of a titled group have its title, and those of a titled group inside it their own")
    func titles() {
        let whole = AdminGroup("Garden") {
            ModelAdmin(Hive.self)
            AdminGroup("Insects") { ModelAdmin(Bee.self) }
            AdminGroup { ModelAdmin(Bee.self) }
        }
        #expect(names(whole) == ["Hive", "Bee", "Bee"])
        #expect(whole.registrations.map(\.group) == ["Garden", "Insects", "Garden"])
        #expect(admin(isLarge: true).registrations.allSatisfy { $0.group == nil })
    }
}
