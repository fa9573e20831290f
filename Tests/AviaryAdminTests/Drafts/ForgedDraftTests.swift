import Foundation
import Testing

@Suite("Forged drafts", .server)
struct ForgedDraftTests {
    @Test(
        "A page with a forged draft works, shows a notice and deletes the cookie",
        arguments: ["/admin", "/admin/animals", "/admin/animals/new"],
        [
            "forged", "", "AAAA", String(repeating: "A", count: 3000), "%00", "a=b",
        ])
    func forged(path: String, value: String) async throws {
        let browser = Browser(try .shared)
        browser.cookies["d-\(try Server.shared.port).aaaaaaaaaa"] = value
        let page = try await browser.get(path)
        #expect(page.status == 200)
        #expect(page.body.contains("We couldn’t open a saved draft"))
        #expect(browser.draftCookies.isEmpty)
        #expect(try await !browser.get(path).body.contains("couldn’t open a saved draft"))
    }

    @Test(
        "Each answer deletes a bounded number of forged draft cookies until none remains",
        arguments: ["/admin", "/admin/animals"])
    func hundreds(path: String) async throws {
        let browser = Browser(try .shared)
        _ = try await browser.get("/admin")
        for number in 0..<100 { browser.cookies["d-\(try Server.shared.port).junk\(100_000 + number)"] = "" }
        var answers = 0
        while !browser.draftCookies.isEmpty {
            let before = browser.draftCookies.count
            let answer = try await browser.get(path)
            try #require(answer.status == 200 && browser.draftCookies.count < before)
            #expect(answer.setCookies.count <= 12)
            answers += 1
        }
        #expect(answers == 9)
    }

    @Test("Signing out deletes the account's drafts before forged draft cookies")
    func signOut() async throws {
        let browser = Browser(try .shared, as: "crowded")
        for number in 0..<3 {
            #expect(try await browser.keep(try await browser.newAnimal("Kept \(number)")).status == 204)
        }
        let drafts = Set(browser.draftCookies.keys)
        #expect(drafts.count == 3)
        let token = try await browser.token()
        // The names sort before and after the drafts, and so do the cookies in the header.
        for number in 0..<40 {
            browser.cookies["d-\(try Server.shared.port).----\(100_000 + number)"] = "x"
            browser.cookies["d-\(try Server.shared.port).zzzz\(100_000 + number)"] = "x"
        }
        let answer = try await browser.post("/logout", Form(["csrf": token]))
        #expect(answer.status == 303)
        #expect(drafts.isDisjoint(with: browser.draftCookies.keys))
        #expect(answer.setCookies.count <= 14)
    }

    @Test("A draft under another cookie's name is rejected")
    func otherName() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("Renamed"))
        let kept = try #require(browser.draftCookies.first)
        browser.cookies[kept.key] = nil
        browser.cookies["d-\(try Server.shared.port).bbbbbbbbbb"] = kept.value
        let page = try await browser.get("/admin/animals")
        #expect(!page.body.contains("Renamed"))
        #expect(page.body.contains("couldn’t open a saved draft"))
    }

    @Test("A draft with one changed character is rejected")
    func changed() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("Changed"))
        let kept = try #require(browser.draftCookies.first)
        let middle = kept.value.index(kept.value.startIndex, offsetBy: kept.value.count / 2)
        let other: Character = kept.value[middle] == "A" ? "B" : "A"
        browser.cookies[kept.key] = kept.value.replacingCharacters(in: middle...middle, with: String(other))
        #expect(try await !browser.get("/admin/animals").body.contains("“Changed”"))
    }

    @Test("A draft from another server is rejected")
    func otherServer() async throws {
        let other = try await Server.start()
        let (here, there) = (Browser(try .shared), Browser(other))
        _ = try await there.keep(try await there.newAnimal("Foreign"))
        let kept = try #require(there.draftCookies.first)
        here.cookies["d-\(try Server.shared.port)." + (kept.key.split(separator: ".").last ?? "")] = kept.value
        #expect(try await !here.get("/admin/animals").body.contains("Foreign"))
        await other.kill()
    }

    @Test("Cookies of other programs on the same host are ignored")
    func otherCookies() async throws {
        let browser = Browser(try .shared)
        browser.cookies = ["theme": "dark", "d-1.aaaaaaaaaa": "x", "session": "y"]
        let page = try await browser.get("/admin/animals")
        #expect(page.status == 200)
        #expect(!page.body.contains("couldn’t open a saved draft"))
        #expect(browser.cookies["d-1.aaaaaaaaaa"] == "x")
    }
}
