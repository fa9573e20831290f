import Aviary
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import AviaryAdmin

@Suite("Every route answers each person as the permission table says", .server)
struct AccessTableTests {
    @Test("The permission table lists exactly the server's routes")
    func complete() throws {
        let directory = try TestDirectory()
        let container = try DependencyContainer(
            owning: try ServerDirectory(locking: StoreLocation(directory.path("data"))),
            of: try AppDefinition(Shelter.self),
            onFatalError: { _ in }
        )
        let site = AdminSite(name: "Shelter", container: container, cookieNames: CookieNames(port: 1))
        let routes = SiteRoutes(site: site, own: try CustomRoutes([])).plan.routes.map {
            "\($0.method.rawValue) \($0.path)"
        }
        #expect(Set(routes) == Set(AccessRow.table.map(\.route)))
        #expect(routes.count == AccessRow.table.count)
    }

    @Test(
        "Each person gets a page with the status in the permission table",
        arguments: AccessRow.table.filter { $0.method == "GET" },
        Person.allCases)
    func pages(row: AccessRow, person: Person) async throws {
        let fixture = try await Fixture.shared()
        let browser = try await fixture.browser(person)
        let answer = try await browser.get(fixture.filled(row.path))
        #expect(answer.status == row.status(for: person))
        #expect(answer.location.map { $0.hasPrefix("/") } ?? true)
        if answer.status == 403 {
            #expect(!answer.source.contains(fixture.animalName), "no word of what may not be seen")
        }
    }

    @Test(
        "A form requires the permission, this session's token and an origin of this site",
        arguments: AccessRow.table.filter { $0.method == "POST" }, Person.allCases)
    func forms(row: AccessRow, person: Person) async throws {
        let fixture = try await Fixture.make()
        // The right proof comes last, because the others change nothing.
        for proof in Proof.allCases.reversed() {
            let browser = try await fixture.browser(person)
            var form = Form(row.fields).with("csrf", try await fixture.token(for: browser, person))
            var headers: [String: String] = [:]
            switch proof {
            case .right: break
            case .none: form["csrf"] = nil
            case .anotherSessions: form["csrf"] = try await Browser(try .shared, as: "another").token()
            case .crossSite: headers = ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"]
            }
            let before = try await fixture.stored()
            let answer = try await browser.post(fixture.filled(row.path), fixture.filled(form), headers: headers)
            let expected = proof == .right ? row.status(for: person) : 403
            #expect(answer.status == expected, "\(proof)")
            if !(200..<400).contains(expected) || person == .nobody || person == .disabled {
                #expect(try await fixture.stored() == before, "\(proof): nothing was changed")
            }
        }
    }
}

@Model
private struct Pet {
    var name: String
}

private struct Shelter: AviaryApp {
    var admin: some Admin { ModelAdmin(Pet.self) }
}

@Suite("A model whose records a person may not see does not exist for that person", .server)
struct HiddenModelTests {
    @Test("A person who may not see a model cannot choose its columns")
    func columns() async throws {
        // The program has no role of this name: its people may sign in and do nothing else.
        let browser = Browser(try .shared, as: "roleless", role: "keeper")
        #expect(try await browser.get("/admin/animals").status == 404)
        let answer = try await browser.post(
            "/admin/animals/columns", Form(["csrf": try await browser.token(), "column": "name"]))
        #expect(answer.status == 404)
    }
}
