import Aviary
import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Model struct Docent {
    var family: String
    @Attribute(.required) var given: String
    var tours = 1
    @Attribute(.secret) var pin: String?

    var badge: String { "No. \(tours)" }
}

struct ClosureTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title { "\($0.family), \($0.given)" } }
}

struct StoredTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title(\.family) }
}

struct NumberTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title(\.tours) }
}

struct BadgeTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title(\.badge) }
}

struct GuessedTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self) }
}

struct SecretTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title(\.pin) }
}

struct HiddenTitles: AviaryApp {
    var admin: some Admin { ModelAdmin(Docent.self).title(\.family) }
    var roles: [Role] { [Role("guest", .allow(.view, on: Docent.self), .hide(\Docent.family))] }
}

@Suite("The titles that an application declares")
struct TitleTests {
    private func title<App: AviaryApp>(_ app: App.Type) throws -> String {
        let schema = try #require(try AppDefinition(app).configurations.first?.schema)
        let docent = Docent(family: "Byron", given: "Ada", tours: 3)
        return Record(id: docent.id.uuid, version: 1, values: docent.storedValues).title(in: schema)
    }

    @Test("A title is a stored property, a computed one, or what a closure returns; else a guess")
    func titles() throws {
        #expect(try title(StoredTitles.self) == "Byron")
        #expect(try title(NumberTitles.self) == "3")
        #expect(try title(BadgeTitles.self) == "No. 3")
        #expect(try title(ClosureTitles.self) == "Byron, Ada")
        #expect(try title(GuessedTitles.self) == "Ada")
    }

    @Test("The repositories have the declared title as well")
    func schema() throws {
        let schema = try AppDefinition(StoredTitles.self).schema
        #expect(schema.model("Docent")?.titleProperty?.name == "family")
    }

    @Test("A secret title and a title that a role hides are errors when the application starts")
    func mistakes() {
        let secret = #expect(throws: SchemaError.self) { try AppDefinition(SecretTitles.self) }
        #expect(secret?.property == "pin")
        let hidden = #expect(throws: RoleError.self) { try AppDefinition(HiddenTitles.self) }
        #expect(hidden?.reason.contains("declare another .title") == true)
    }
}
