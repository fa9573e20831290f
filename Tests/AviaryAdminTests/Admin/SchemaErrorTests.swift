import Aviary
import Testing

@testable import AviaryAdmin

@Model struct Keeper {
    @Attribute(.required) var name: String
    var aviary: Reference<Enclosure>?
}

@Model struct Enclosure {
    @Attribute(.required) var name: String
    @Relationship(deleteRule: .deny, inverse: \Keeper.aviary)
    var keepers: Related<Keeper>
}

@Model struct Backup {
    @Attribute(.required) var name: String
}

struct Complete: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Keeper.self).columns(\.name, \.aviary)
        ModelAdmin(Enclosure.self)
    }
}

struct RegisteredTwice: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Backup.self)
        ModelAdmin(Backup.self)
    }
}

struct Unregistered: AviaryApp {
    var admin: some Admin { ModelAdmin(Keeper.self) }
}

struct ReservedAddress: AviaryApp {
    var admin: some Admin { ModelAdmin(Backup.self) }
}

struct Careless: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Keeper.self).ordering(\.aviary)
        ModelAdmin(Backup.self)
    }
    var roles: [Role] { [Role("Night Keeper")] }
}

@Suite("A mistake in a declaration is an error at launch that says what to change")
struct SchemaErrorTests {
    @Test("A declaration without mistakes is accepted")
    func complete() throws {
        let app = try AppDefinition(Complete.self)
        #expect(app.schema.models.filter { !$0.isBuiltIn }.map(\.name) == ["Keeper", "Enclosure"])
        #expect(app.configurations.map(\.columns) == [["name", "aviary"], ["name"]])
        #expect(app.commandName == "complete")
    }

    @Test(
        "The name of a program is the last component of the path with which it was started",
        arguments: [
            ("/usr/local/bin/vet", "vet"), ("./vet", "vet"), ("vet", "vet"), ("", nil), ("/", nil),
            ("/proc/self/exe", nil),
        ])
    func programName(path: String, name: String?) {
        #expect(ProgramName.name(ofPath: path) == name)
    }

    @Test("A model that is registered twice is an error")
    func twice() {
        expect(RegisteredTwice.self, model: "Backup", advice: "Register each model once.")
    }

    @Test("A reference to a model that is not registered is an error")
    func unregistered() {
        expect(Unregistered.self, model: "Keeper", advice: "Add ModelAdmin(Enclosure.self) to the admin.")
    }

    @Test("A model whose address the admin reserves is an error")
    func reserved() {
        expect(ReservedAddress.self, model: "Backup", advice: "give it another slug:")
    }

    @Test("All mistakes are reported at once, a line for each")
    func several() {
        let error = #expect(throws: SchemaError.self) { try AppDefinition(Careless.self) }
        #expect(
            error?.description.split(separator: "\n") == [
                "The role \"Night Keeper\" has an invalid name. Use up to 40 lower-case letters, digits and hyphens.",
                "Backup has the address /admin/backups, which the admin itself uses. Rename the model, or give it another slug:.",
                "Keeper.aviary refers to Enclosure, which is not registered. Add ModelAdmin(Enclosure.self) to the admin.",
                "Keeper.aviary cannot order a list: it has no order that is shown. Choose a text, number, date, truth value or choice.",
            ])
    }

    private func expect(_ app: (some AviaryApp).Type, model: String, advice: String) {
        let error = #expect(throws: SchemaError.self) { try AppDefinition(app) }
        #expect(error?.model == model)
        #expect(error?.description.contains(advice) == true, "\(String(describing: error))")
    }
}
