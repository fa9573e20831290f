import Foundation
import Testing

@Suite("The feeding plan of the example application", .server)
struct FeedingPlanTests {
    private static let path = "/feeding-plan"

    @Test("A keeper changes the diet of an animal, and is led back to the plan")
    func changes() async throws {
        let browser = Browser(try .shared, as: "feeder", role: "editor")
        let okapi = try await browser.addAnimal("Okapi of the plan")
        var form = try Form(of: try await browser.get(Self.path), action: Self.path)
        form["animal"] = okapi
        form["diet"] = "omnivorous"
        let answer = try await browser.post(Self.path, form)
        #expect(answer.status == 303 && answer.location?.hasPrefix("/feeding-plan?did=") == true)
        let sections = try await browser.get(Self.path).source.components(separatedBy: "<h2 dir=\"auto\">")
        let section = try #require(sections.first { $0.hasPrefix("A bit of everything") })
        #expect(section.contains("href=\"/admin/animals/\(okapi)\""))
    }

    @Test("A form without an animal is refused, and says what to do")
    func refuses() async throws {
        let browser = Browser(try .shared, as: "feeder", role: "editor")
        let form = try Form(of: try await browser.get(Self.path), action: Self.path)
        let answer = try await browser.post(Self.path, form)
        #expect(answer.status == 422 && answer.body.contains("Select an animal, then its diet."))
    }

    @Test("A viewer sees the plan without the form, and cannot send one")
    func viewers() async throws {
        let viewer = Browser(try .shared, as: "onlooker", role: "viewer")
        let page = try await viewer.get(Self.path)
        #expect(page.status == 200 && !page.body.contains("action=\"/feeding-plan\""))
        let form = Form(["csrf": try await viewer.token(), "animal": "", "diet": "omnivorous"])
        #expect(try await viewer.post(Self.path, form).status == 403)
    }

    @Test("The file has a line for each diet")
    func files() async throws {
        let file = try await Browser(try .shared, as: "feeder", role: "editor").get(Self.path + "/file")
        #expect(file.contentType == "text/csv; charset=utf-8")
        #expect(
            file.source.split(separator: "\r\n").map { $0.split(separator: ",").first ?? "" }
                == ["diet", "herbivorous", "carnivorous", "omnivorous"])
    }
}
