import Aviary
import AviaryTesting
import Testing

@Suite("Forms that tests read from pages")
struct FormTests {
    /// Returns the error that a closure throws.
    private func error(_ body: () throws -> TestForm) -> TestApplicationError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? TestApplicationError
        }
    }

    @Test("An empty text area is empty, so that a rule about it applies")
    func emptyTextAreas() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/crabs/new").sheet()
            #expect(sheet["story"] == "")
            sheet["name"] = "Hermit"
            sheet["reply"] = "Thank you"
            let refused = try await browser.submit(sheet)
            #expect(refused.status == 422 && refused.body.contains("Tell the story before the reply."))
        }
    }

    @Test("A text of several lines is read from a sheet as it is stored")
    func lines() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            let story = "\nIt began\n\nin a shell.\n"
            let crab = Crab(name: "Hermit", story: story)
            let crabs = try await application.store().repository(for: Crab.self)
            try await crabs.insert(crab)
            var sheet = try await browser.get("/admin/crabs/\(crab.id)").sheet()
            #expect(sheet["story"] == story)
            sheet["name"] = "Fiddler"
            #expect(try await browser.submit(sheet).status == 303)
            #expect(try await crabs.fetchAll().map(\.story) == [story])
        }
    }

    @Test("A form is sent with CR LF at the end of each line, as browsers send it")
    func lineBreaks() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = application.browser()
            var form = try await browser.get("/schedule").form(action: "/schedule", method: .post)
            #expect(form["text"] == "")
            form["text"] = "a\nb\r\nc\rd"
            #expect(try await browser.submit(form).json([String].self) == ["a\r\nb\r\nc\r\nd"])
        }
    }

    @Test("The method tells a search from a change at the same address, and the form is sent with it")
    func methods() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = application.browser()
            let page = try await browser.get("/schedule")
            var search = try page.form(action: "/schedule", method: .get)
            #expect(search.method == .get && search.values("text") == [])
            search["day"] = "Monday & Tuesday"
            let found = try await browser.submit(search)
            #expect(found.status == 200 && found.body.contains("Schedule for Monday &amp; Tuesday"))
            #expect(try page.form(action: "/schedule", method: .post).values("day") == [])
        }
    }

    @Test("Different forms for one address throw an error that says how to choose one")
    func severalForms() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let page = try await application.browser().get("/schedule")
            let methods = error { try page.form(action: "/schedule") }
            #expect(methods?.code == .severalForms)
            #expect(methods?.description.contains("Name the method: form(action:method:).") == true)
            let fields = error { try page.form(action: "/cancel", method: .post) }
            #expect(fields?.code == .severalForms)
            #expect(fields?.description.contains("Choose one of forms(action:method:) by its fields.") == true)
            #expect(page.forms(action: "/cancel").map { $0["dive"] } == ["1", "2"])
        }
    }

    @Test("An address without a form of the wanted method throws an error that names both")
    func missingForms() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let page = try await application.browser().get("/schedule")
            let missing = error { try page.form(action: "/cancel", method: .get) }
            #expect(missing?.code == .noForm && missing?.description.contains("GET /cancel") == true)
            #expect(page.forms(action: "/cancel", method: .get).isEmpty)
        }
    }
}
