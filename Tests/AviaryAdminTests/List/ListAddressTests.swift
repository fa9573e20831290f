import Foundation
import Testing

@Suite("Search, filters and columns of a list", .server)
struct ListAddressTests {
    @Test(
        "An unknown filter answers 404 and an unreadable one 400, without showing a list",
        arguments: [
            ("filter.wings=2", 404), ("filter.name=x", 404), ("filter.diet.from=a", 404),
            ("filter.diet=frugivorous", 400),
            ("filter.category=mammals", 400), ("q=a%00b", 400), ("q=" + String(repeating: "a", count: 201), 400),
        ])
    func refused(query: String, status: Int) async throws {
        let answer = try await Browser(try .shared).get("/admin/animals?" + query)
        #expect(answer.status == status)
        #expect(answer.body.contains("Show all animals"))
        #expect(!answer.body.contains("<table"))
    }

    @Test("A list without a declared search finds titles by any part")
    func titleSearch() async throws {
        let browser = Browser(try .shared)
        _ = try await browser.addCategory("Crepuscularia")
        let answer = try await browser.get("/admin/animal-categories?q=SCULAR")
        #expect(answer.status == 200 && answer.body.contains("Crepuscularia"))
        let none = try await browser.get("/admin/animal-categories?q=scularx")
        #expect(!none.body.contains("Crepuscularia") && none.body.contains("In “Name”, the words are found anywhere."))
    }

    @Test("Odd addresses cause no server error")
    func odd() async throws {
        let browser = Browser(try .shared)
        let names = [
            "q", "filter.", "filter.diet", "filter.category", "filter.diet.empty", "filter.category.empty",
            "filter.category.from", "panel", "find.category", "find.", "after", "before", "did", "undone", "size",
        ]
        let values = [
            "", "%00", "-1", "99999999999999999999", "%F0%9F%A6%89", "herbivorous", "filters", "columns",
            "%22%3E%3Cb%3E", "..", "1",
        ]
        var seen: Set<Int> = []
        for (index, name) in names.enumerated() {
            for (offset, value) in values.enumerated() {
                let other =
                    names[(index * 7 + offset) % names.count] + "=" + values[(index + offset * 3) % values.count]
                seen.insert(try await browser.get("/admin/animals?\(name)=\(value)&\(other)").status)
            }
        }
        #expect(seen.isSubset(of: [200, 400, 404]), "\(seen)")
    }

    @Test("The choice of columns is a cookie of this browser, and unknown columns are ignored")
    func columns() async throws {
        let browser = Browser(try .shared)
        try await browser.addAnimal("With columns")
        let page = try await browser.get("/admin/animals?panel=columns")
        #expect(page.body.contains("Columns shown in this browser"))
        var form = Form(["csrf": try #require(page.csrf), "return": "q=kom"])
        for name in ["category", "wings", "<b>", "id"] { form.add("column", name) }
        let answer = try await browser.post("/admin/animals/columns", form)
        #expect(answer.status == 303)
        #expect(answer.location == "/admin/animals?q=kom")
        let cookie = try #require(answer.setCookies.first { $0.name.hasSuffix("animals") })
        #expect(cookie.value == "name~category")
        let list = try await browser.get("/admin/animals")
        #expect(!list.body.contains("sort=diet"))
        #expect(list.body.contains(#"<th scope="col">Category</th>"#))
    }

    @Test(
        "A list is shown with its first column, whatever the cookie contains",
        arguments: ["%", "~~~", "name~%00", "\u{1}", "wings", String(repeating: "a~", count: 3000)])
    func oddCookie(value: String) async throws {
        let browser = Browser(try .shared)
        _ = try await browser.get("/admin")
        let name =
            try #require(browser.cookies.keys.first { $0.hasPrefix("session-") }).replacing("session-", with: "c-")
            + ".animals"
        let cookies = try await browser.cookieField.dropFirst("Cookie: ".count)
        let answer = try await browser.get(
            "/admin/animals", headers: ["Cookie": cookies + "; \(name)=\(value.filter { $0 != "\u{1}" })"])
        #expect(answer.status == 200)
        #expect(answer.body.contains("sort=-name") || answer.body.contains("No animals"))
    }

    @Test("Only the person who deleted a record sees the notice")
    func news() async throws {
        let browser = Browser(try .shared)
        let id = try await browser.addAnimal("News")
        let answer = try await browser.post(
            "/admin/animals/delete", Form(["csrf": try await browser.token(), "id": id]))
        let address = try #require(answer.location)
        #expect(try await browser.get(address).body.contains("Deleted “News”"))
        let other = Browser(try .shared, as: "nosy")
        #expect(try await !other.get(address).body.contains("Deleted “"))
    }
}
