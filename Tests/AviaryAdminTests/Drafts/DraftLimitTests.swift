import Foundation
import Testing

@Suite("Draft limits", .server)
struct DraftLimitTests {
    struct Refused: Decodable { let error: String }

    @Test("A seventh draft is rejected with the reason, and the other six remain")
    func full() async throws {
        let browser = Browser(try .shared)
        for index in 0..<6 {
            #expect(try await browser.keep(try await browser.newAnimal("Draft \(index)")).status == 204)
        }
        let before = browser.draftCookies
        let answer = try await browser.keep(try await browser.newAnimal("Draft 7"))
        #expect(answer.status == 409)
        #expect(
            try answer.json(Refused.self).error.hasPrefix(
                "Draft not saved: 6 other drafts take up the room."))
        #expect(browser.draftCookies == before)
    }

    @Test("A rejected draft shows the sheet with its text and the reason, and can still be saved")
    func fullByHand() async throws {
        let browser = Browser(try .shared)
        for index in 0..<6 { _ = try await browser.keep(try await browser.newAnimal("Hand \(index)")) }
        let form = try await browser.newAnimal("No room")
        let answer = try await browser.post("/admin/animals/draft", form)
        #expect(answer.status == 409)
        #expect(answer.body.contains(#"name="name" value="No room""#))
        #expect(answer.body.contains("Draft not saved"))
        #expect(try await browser.post("/admin/animals", form).status == 303)
        #expect(try await browser.rows(named: "No room") == 1)
    }

    @Test("A draft that is too long answers 413 with its size, and the form can still be saved")
    func tooLarge() async throws {
        let browser = Browser(try .shared)
        let name = Unique.noise(6000)
        let form = try await browser.newAnimal(name)
        let answer = try await browser.keep(form)
        #expect(answer.status == 413)
        #expect(try answer.json(Refused.self).error.contains("of 3,000 bytes"))
        #expect(browser.draftCookies.isEmpty)
        #expect(try await browser.post("/admin/animals", form).status == 303)
    }

    @Test("A draft that grows too large also removes its older copy")
    func grown() async throws {
        let browser = Browser(try .shared)
        let form = try await browser.newAnimal("Growing")
        _ = try await browser.keep(form)
        #expect(browser.draftCookies.count == 1)
        #expect(try await browser.keep(form.with("name", Unique.noise(6000))).status == 413)
        #expect(browser.draftCookies.isEmpty)
    }

    @Test("All drafts of a browser stay within 6,000 bytes")
    func total() async throws {
        let browser = Browser(try .shared)
        var statuses: [Int] = []
        for index in UInt64(0)..<4 {
            let name = Unique.noise(2200, stream: index)
            statuses.append(try await browser.keep(try await browser.newAnimal(name)).status)
        }
        #expect(statuses.contains(409))
        let size = browser.draftCookies.map { $0.key.utf8.count + $0.value.utf8.count }.reduce(0, +)
        #expect(size <= 6000)
        #expect(size > 3000)
    }

    @Test("A script gets a rejection as JSON")
    func contentType() async throws {
        let browser = Browser(try .shared)
        let answer = try await browser.keep(try await browser.newAnimal(Unique.noise(6000)))
        #expect(answer.contentType == "application/json")
    }

    @Test("A draft is compressed, so a long text of ordinary words fits and is restored unchanged")
    func compressed() async throws {
        let browser = Browser(try .shared)
        let words = ["The", "kakapo", "is", "a", "parrot", "that", "cannot", "fly", "and", "walks", "at", "night."]
        let name = (0..<700).map { words[$0 * 7 % words.count] }.joined(separator: " ")
        #expect(name.utf8.count > 3000)
        #expect(try await browser.keep(try await browser.newAnimal(name)).status == 204)
        #expect(browser.draftCookies.values.allSatisfy { $0.utf8.count < 3000 })
        #expect(try await browser.get("/admin/animals/new").body.contains(name))
    }
}
