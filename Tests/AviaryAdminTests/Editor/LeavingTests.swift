import Foundation
import Testing

@Suite("Leaving a sheet", .server)
struct LeavingTests {
    @Test(
        "Every control that leaves the form is a button that sends it", arguments: ["History", "Duplicate", "Delete…"])
    func buttons(title: String) async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Left by \(title)")
        let body = try await browser.get("/admin/animals/\(id)?sort=-name").body
        let buttons = body.matches(
            of: /<button [^>]*value="leave [^"]*" formaction="\/admin\/animals\/draft"[^>]*>([^<]*)</
        ).map { String($0.1) }
        #expect(buttons.contains(title))
        #expect(!body.contains(">\(title)</a>"))
    }

    @Test("Leaving a sheet keeps its text as a draft")
    func typed() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Left behind")
        let form = try await browser.sheet(of: "animals", id).with("name", "Typed and left")
        let address = "/admin/animals/delete?id=\(id)&sheet=1"
        let answer = try await browser.post("/admin/animals/draft", form.with(".step", "leave \(address)"))
        #expect(answer.status == 303 && answer.location == address)
        #expect(browser.draftCookies.count == 1)
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"name="name" value="Typed and left""#))
        #expect(try await browser.get("/admin/animals").body.contains("Unsaved draft"))
    }

    @Test("Leaving a sheet without input keeps no draft, also after another person's change")
    func untouched() async throws {
        let (browser, bob) = (Browser(try .shared), Browser(try .shared, as: "bob-leaves", role: "editor"))
        let id = try await browser.addAnimal("Only looked at and left")
        let form = try await browser.sheet(of: "animals", id).with("name", "Only looked at and left").with(
            "diet", "herbivorous")
        let theirs = try await bob.sheet(of: "animals", id).with("name", "Renamed meanwhile").with(
            "diet", "herbivorous")
        for _ in 0..<2 {
            let answer = try await browser.post("/admin/animals/draft", form.with(".step", "leave /admin/activity"))
            #expect(answer.status == 303 && answer.location == "/admin/activity")
            #expect(browser.draftCookies.isEmpty)
            _ = try await bob.post("/admin/animals/\(id)", theirs)
        }
    }

    @Test("A text that is too long for a draft stays on the page with the reason")
    func tooLarge() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Too long to leave")
        let text = Unique.noise(14_400)
        let form = try await browser.sheet(of: "animals", id).with("name", text).with(".step", "leave /admin/activity")
        let answer = try await browser.post("/admin/animals/draft", form)
        #expect(answer.status == 413)
        #expect(answer.body.contains("Draft not saved: too long") && answer.body.contains(text))
    }

    @Test("Leaving a sheet without input does not change a draft from another tab")
    func otherPage() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("Open twice and left")
        let one = try await browser.sheet(of: "animals", id), other = try await browser.sheet(of: "animals", id)
        _ = try await browser.keep(other.with("name", "Typed on the other page"))
        let answer = try await browser.post("/admin/animals/draft", one.with(".step", "leave /admin/activity"))
        #expect(answer.status == 303 && answer.location == "/admin/activity")
        #expect(try await browser.get("/admin/animals/\(id)").body.contains(#"value="Typed on the other page""#))
    }

    @Test(
        "Leaving a sheet never redirects to another site",
        arguments: ["leave //example.com", "leave https://example.com/", #"leave /\example.com"#])
    func elsewhere(step: String) async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.post(
            "/admin/animals/draft", try await browser.newAnimal("Led astray").with(".step", step))
        #expect(answer.status == 303 && answer.location == "/admin/animals")
    }
}
