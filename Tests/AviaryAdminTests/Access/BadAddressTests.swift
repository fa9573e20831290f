import AviaryDomain
import Foundation
import Testing

@Suite("Unknown and unreadable addresses", .server)
struct BadAddressTests {
    private static let unknown = UUID.version7().canonicalText

    /// Every route with a part of its path that does not exist, for a model and for the parts below it.
    private static let nowhere: [(row: AccessRow, path: String)] = AccessRow.table.flatMap {
        row -> [(AccessRow, String)] in
        let route = String(row.route.split(separator: " ").last ?? "")
        guard route.contains("{") else { return [] }
        let others = ["nonsense", unknown, "%3Cb%3E", "..%2F..", "99999999", "-1"].map { text in
            route.replacing("{model}", with: "animals").replacing(/\{\w+\}/, with: text)
        }
        let isInModel = route.contains("{model}")
        let models =
            isInModel
            ? ["plants", "Animals", "%00"].map {
                route.replacing("{model}", with: $0).replacing(/\{\w+\}/, with: unknown)
            } : []
        return (models + (route.replacing("{model}", with: "").contains("{") ? others : [])).map { (row, $0) }
    }

    private static let asked = nowhere.filter { $0.row.method == "GET" }.map(\.path)
    // A form for a deleted record is not included, because its text becomes a new record.
    private static let targets = nowhere.filter { $0.row.method == "POST" && $0.path != "/admin/animals/\(unknown)" }
        .map { ($0.path, $0.row) }

    private func expectPage(_ answer: Answer, _ status: Int, _ path: String) {
        #expect(answer.status == status, "\(path)")
        #expect(answer.contentType == "text/html; charset=utf-8", "\(path)")
        #expect(
            answer.body.contains(/<section class="trouble">/)
                && answer.body.contains(/class="button primary" href="\//), "\(path)")
        #expect(!answer.body.contains("Error(") && !answer.body.contains("SQL"), "\(path)")
    }

    @Test("A page request for an unknown path answers 404", arguments: asked)
    func pages(path: String) async throws {
        expectPage(try await Browser(try .shared).get(path), 404, path)
    }

    @Test("A form that is sent to an unknown path answers 404", arguments: targets)
    func posted(path: String, row: AccessRow) async throws {
        let browser = Browser(try .shared)
        let form = Form(row.fields).with("csrf", try await browser.token())
        expectPage(try await browser.post(path, form), 404, path)
    }

    @Test(
        "A query that names an unknown field, model, record or action answers 404",
        arguments: [
            "/admin/animals?sort=wings", "/admin/animals?sort=category", "/admin/animals?filter.wings=2",
            "/admin/animals/export?sort=wings", "/admin/animals/batch?do=fly&all=1", "/admin/activity?model=plants",
            "/admin/activity?model=animals&record=\(unknown)", "/admin/activity?model=plants&record=\(unknown)",
        ])
    func names(path: String) async throws {
        expectPage(try await Browser(try .shared).get(path), 404, path)
    }

    @Test(
        "A query that cannot be read answers 400",
        arguments: [
            "/admin?q=%FF", "/admin/animals?q=%FF", "/admin/animals?q=%00", "/admin/animals?after=x",
            "/admin/animals?before=",
            "/admin/animals?size=0", "/admin/animals?size=x", "/admin/animals?filter.diet=frugivorous",
            "/admin/animals?filter.category=x",
            "/admin/animals/export?format=xml", "/admin/animals/export?size=0", "/admin/animals/delete?id=x",
            "/admin/animals/batch?do=delete&id=x",
            "/admin/animals/batch?do=delete&all=1&return=sort%3D%25ZZ", "/admin/activity?from=tomorrow",
            "/admin/activity?to=2026-02-30",
            "/admin/activity?before=x", "/admin/activity?model=animals&record=x", "/admin/activity?record=\(unknown)",
            "/admin/animals?q=a&q=b", "/admin/animals?q=a&q=a", "/admin/animals?sort=name&sort=diet",
            "/admin/animals?size=10&size=20",
            "/admin/animals/export?format=csv&format=jsonl",
            "/admin/animals/batch?do=delete&all=1&return=q%3Da%26q%3Db",
            "/admin/activity?person=ada&person=bob", "/admin/activity?from=2026-11-01&from=2026-11-02",
            "/admin/accounts?after=a&after=b",
            "/login?next=/admin&next=/",
            "/admin/activity/events?after=x", "/admin/activity/events?from=x", "/admin/activity/1?after=x",
            "/admin/accounts?q=%FF",
        ])
    func values(path: String) async throws {
        expectPage(try await Browser(try .shared).get(path), 400, path)
    }

    @Test("A parameter that may occur once is rejected by name when it repeats; filter values may repeat")
    func repeated() async throws {
        let browser = Browser(try .shared)
        #expect(
            try await browser.get("/admin/animals?q=a&q=b").body.contains("The address contains “q” more than once"))
        #expect(try await browser.get("/admin/animals?filter.diet=herbivorous&filter.diet=carnivorous").status == 200)
    }

    @Test(
        "The error page names the parameter that cannot be read and links to the complete list",
        arguments: [
            ("/admin/activity?model=animals&record=xx", "“record”", "/admin/activity"),
            ("/admin/activity?from=x", "“from” in the address is not a date", "/admin/activity"),
            ("/admin/activity?before=x", "“before”", "/admin/activity"),
            ("/admin/activity/events?after=x", "“after”", "/admin/activity"),
            ("/admin/animals?after=xx", "“after”", "/admin/animals"),
            ("/admin/animals?before=xx", "“before”", "/admin/animals"),
            ("/admin/animals?size=x", "“size”", "/admin/animals"), ("/admin/animals?q=%00", "“q”", "/admin/animals"),
            ("/admin/animals?panel=xx", "“panel”", "/admin/animals"),
            ("/admin/animals/delete?id=xx", "“id”", "/admin/animals"),
            ("/admin/animals/batch?do=delete&id=xx", "“id”", "/admin/animals"),
            ("/admin/animals/export?format=xml", "“format”", "/admin/animals"),
            ("/admin/animals?q=a&q=b", "“q” more than once", "/admin/animals"),
        ])
    func named(path: String, name: String, back: String) async throws {
        let answer = try await Browser(try .shared).get(path)
        expectPage(answer, 400, path)
        #expect(answer.body.contains(name) && !answer.body.contains("This form can’t be read"), "\(path)")
        #expect(answer.body.contains(#"class="button primary" href="\#(back)""#), "\(path)")
    }

    @Test("The error page does not link to a list that the person may not see")
    func hidden() async throws {
        let fixture = try await Fixture.shared()
        let body = try await fixture.browser(.nobody).get("/admin/animals?q=a&q=b").body
        #expect(!body.contains(#"class="button primary" href="/admin/animals""#))
    }

    @Test(
        "Unknown parameters do not change the status, and a null character causes no server error",
        arguments: AccessRow.table.filter { $0.method == "GET" })
    func odd(row: AccessRow) async throws {
        let fixture = try await Fixture.shared()
        let browser = try await fixture.browser(.admin)
        let path = fixture.filled(row.path)
        let plain = try await browser.get(path).status
        for query in ["page=x", "page=-1", "utm_source=%F0%9F%A6%89", "did=x", "undone=-1", "x", "=", "&&", "%20=%20"] {
            let answer = try await browser.get(path + (path.contains("?") ? "&" : "?") + query)
            #expect(answer.status == plain, "\(query)")
        }
        for query in [
            "q=%00", "after=%00", "before=%00", "record=%00&model=%00", "from=%00", "size=%00", "earlier=%00",
            "draft=%00&for=%00&added=%00", "like=%00", "link=%00", "next=%00",
        ] {
            let answer = try await browser.get(path + (path.contains("?") ? "&" : "?") + query)
            #expect([200, 303, 400, 404, 410].contains(answer.status), "\(query)")
        }
    }
}
