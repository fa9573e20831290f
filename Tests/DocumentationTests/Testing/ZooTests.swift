import Aviary
import AviaryTesting
import Testing

@Suite("The admin of the zoo")
struct ZooTests {
    @Test("An editor adds an animal and sees it in the list")
    func adds() async throws {
        try await TestApplication.serve(Zoo.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/animals/new").sheet()
            sheet["name"] = "Okapi"
            #expect(try await browser.submit(sheet).status == 303)

            let list = try await browser.get("/admin/animals")
            #expect(list.rows.map(\.title) == ["Okapi"])

            let animals = try await application.store().repository(for: Animal.self)
            #expect(try await animals.fetchAll().first?.diet == .herbivorous)
        }
    }

    @Test("A viewer sees the animals and adds none; nobody sees them without an account")
    func refuses() async throws {
        try await TestApplication.serve(Zoo.self) { application in
            let animals = try await application.store().repository(for: Animal.self)
            try await animals.insert(Animal(name: "Okapi"))

            let viewer = try await application.signedIn(as: "vera", role: .viewer)
            #expect(try await viewer.get("/admin/animals").rows.map(\.title) == ["Okapi"])
            #expect(try await viewer.get("/admin/animals/new").status == 403)

            let stranger = try await application.browser().get("/admin/animals")
            #expect(stranger.status == 303 && stranger.location?.hasPrefix("/login") == true)
        }
    }
}
