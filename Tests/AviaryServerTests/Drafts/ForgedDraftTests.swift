import Foundation
import Testing

@Suite("A draft that was not sealed here is dropped with a plain notice", .server)
struct ForgedDraftTests {
    @Test(
        "The page works, says so and forgets the cookie",
        arguments: ["/admin", "/admin/animals", "/admin/animals/new"],
        [
            "forged", "", "AAAA", String(repeating: "A", count: 3000), "%00", "a=b",
        ])
    func forged(path: String, value: String) async throws {
        let browser = Browser(try .shared)
        browser.cookies["d-\(try Server.shared.port).aaaaaaaaaa"] = value
        let page = try await browser.get(path)
        #expect(page.status == 200)
        #expect(page.body.contains("A draft in this browser could not be opened"))
        #expect(browser.draftCookies.isEmpty)
        #expect(try await !browser.get(path).body.contains("could not be opened"))
    }

    @Test("A draft under another name than its own is refused")
    func otherName() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("Renamed"))
        let kept = try #require(browser.draftCookies.first)
        browser.cookies[kept.key] = nil
        browser.cookies["d-\(try Server.shared.port).bbbbbbbbbb"] = kept.value
        let page = try await browser.get("/admin/animals")
        #expect(!page.body.contains("Renamed"))
        #expect(page.body.contains("could not be opened"))
    }

    @Test("A draft of which one character was changed is refused")
    func changed() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.keep(try await browser.newAnimal("Changed"))
        let kept = try #require(browser.draftCookies.first)
        let middle = kept.value.index(kept.value.startIndex, offsetBy: kept.value.count / 2)
        let other: Character = kept.value[middle] == "A" ? "B" : "A"
        browser.cookies[kept.key] = kept.value.replacingCharacters(in: middle...middle, with: String(other))
        #expect(try await !browser.get("/admin/animals").body.contains("“Changed”"))
    }

    @Test("Another server's draft is refused")
    func otherServer() async throws {
        let other = try await Server.start()
        let (here, there) = (Browser(try .shared), Browser(other))
        _ = try await there.keep(try await there.newAnimal("Foreign"))
        let kept = try #require(there.draftCookies.first)
        here.cookies["d-\(try Server.shared.port)." + (kept.key.split(separator: ".").last ?? "")] = kept.value
        #expect(try await !here.get("/admin/animals").body.contains("Foreign"))
        await other.kill()
    }

    @Test("Cookies of other programs on this machine are left alone")
    func otherCookies() async throws {
        let browser = Browser(try .shared)
        browser.cookies = ["theme": "dark", "d-1.aaaaaaaaaa": "x", "session": "y"]
        let page = try await browser.get("/admin/animals")
        #expect(page.status == 200)
        #expect(!page.body.contains("could not be opened"))
        #expect(browser.cookies["d-1.aaaaaaaaaa"] == "x")
    }
}
