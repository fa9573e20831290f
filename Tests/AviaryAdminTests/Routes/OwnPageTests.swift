import Aviary
import AviaryTesting
import Foundation
import Testing

@testable import AviaryAdmin

@Model
private struct Horse {
    enum Feed: String, Choice { case hay, oats }

    @Attribute(.required) var name: String
    var feed: Feed = .hay
}

private struct Stable: AviaryApp {
    static let groom = Role("groom", .allow(.view, .edit, on: Horse.self))
    static let clerk = Role("clerk", .task(.activity))
    static let hostile = "<script>alert(\"1\")</script>&'"

    var admin: some Admin {
        AdminGroup("Animals") { ModelAdmin(Horse.self) }
    }

    var roles: [Role] { [Self.groom, Self.clerk] }

    var languages: [Language] {
        [.english, .german.adding(["Hay plan": "Heuplan", "Grooms": "Pfleger", "Animals": "Tiere"])]
    }

    @RouteBuilder var routes: [Route] {
        Route.get("/hay", access: .allowed(.view, on: Horse.self)) { request in try await Self.plan(request) }
            .navigationItem("Hay plan", icon: .calendar, group: "Grooms")
        Route.post("/hay", access: .allowed(.edit, on: Horse.self)) { request in
            let horses = try await request.store.repository(for: Horse.self)
            guard let horse = try await horses.fetchAll().first,
                let feed = request.form("feed").flatMap({ Horse.Feed(rawValue: $0) })
            else { return try await Self.plan(request, problem: "Select oats or hay.") }
            return .seeOther("/hay", after: try await horses.update(horse.id) { $0.feed = feed })
        }
        Route.get("/hay/yesterday") { _ in .html("Yesterday") { PageText("Nothing was left.") } }
        Route.get("/hostile", access: .everyone) { _ in Self.hostilePage }
        Route.get("/tasks", access: .task(.activity)) { request in .html("Tasks") { PageText(request.language) } }
            .navigationItem("Tasks")
        Route.get("/visit", access: .everyone) { _ in
            .html("Visit us") { PageForm(to: "/visit", fields: [.text("name", "Name")], submit: "Register") }
        }
        Route.post("/visit", access: .everyone) { request in .text("Welcome, \(request.form("name") ?? "").") }
        Route.get("/kept") { _ in .text("hay").header("Cache-Control", "private, max-age=60").header("X-Hay", "1") }
        Route.get("/open") { _ in .text("x").header("content-security-policy", "default-src *") }
        Route.get("/split") { _ in .text("x").header("X-Hay", "1\r\nX-Oats: 2") }
        Route.get("/file") { _ in .download(Array("hay".utf8), named: "Heu für \"Rex\".csv", contentType: "text/csv") }
        Route.get("/moved") { _ in .permanentRedirect("/hay") }
        Route.get("/away") { _ in .permanentRedirect("//elsewhere.example") }
        Route.get("/refused") { _ in throw RouteHTTPError(status: 418, "No coffee <here>.") }
        Route.get("/stalls") { _ in .text("two") }
        Route.post("/stalls") { _ in
            throw StoreError.invalid(
                model: "Horse",
                [FieldProblem(\Horse.name, "Use <4> letters."), FieldProblem("One name is enough.")])
        }
    }

    private static func plan(_ request: RouteRequest, problem: String? = nil) async throws -> RouteResponse {
        let horses = try await request.store.repository(for: Horse.self).fetchAll()
        return .html("Hay plan", status: problem == nil ? 200 : 422) {
            PageFacts(["Role": request.role ?? "none"])
            PageTable("Horses", of: horses, empty: "No horse is here.") {
                PageColumn("Name") { .link($0.name, to: "/admin/horses/\($0.id)") }
                PageColumn("Feed") { .choice($0.feed) }
                PageColumn("Legs") { _ in .number(4) }
                PageColumn("Price") { _ in .number(Decimal(string: "1234.565")) }
                PageColumn("Swap") { horse in
                    .button(PageButton("Swap", to: "/swap", fields: ["horse": "\(horse.id)"], about: horse.name))
                }
            }
            PageForm(
                "Change the feed", to: "/hay",
                fields: [.choice("feed", "Feed", of: Horse.Feed.self, selected: .oats).error(problem)],
                submit: "Change")
        }
    }

    private static var hostilePage: RouteResponse {
        let text = hostile
        return .html(text) {
            PageText(text)
            PageHeading(text)
            PageNotice(.warning, text)
            PageFacts([text: text])
            PageLink(text, to: "javascript:alert(1)")
            PageTable(text, of: [text]) {
                PageColumn(text) { .text($0) }
                PageColumn(text) { .link($0, to: "javascript:alert(1)") }
                PageColumn(text) { .button(PageButton($0, to: "https://elsewhere.example/", fields: ["t": $0])) }
            }
            PagePanel(text) {
                PageForm(
                    to: "/hostile", hidden: ["h": text],
                    fields: [
                        .text("t", text, value: text).help(text).error(text),
                        .multiline("m", text, value: text),
                        .select("s", text, options: [PageOption(text)], prompt: text),
                    ],
                    submit: text)
            }
        }
    }
}

@Suite("Own pages have the frame and the protection of the admin")
struct OwnPageTests {
    private static let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"
    private static let html = ["Accept": "text/html"]

    @Test("Every element escapes its texts")
    func escapes() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let page = try await application.browser().get("/hostile")
            #expect(page.status == 200)
            #expect(!page.body.contains("<script>alert"))
            for markup in [
                "<h1>\(Self.escaped)</h1>", "<p dir=\"auto\">\(Self.escaped)</p>",
                "<h2 dir=\"auto\">\(Self.escaped)</h2>", "<dt>\(Self.escaped)</dt>",
                "<th scope=\"row\"><bdi>\(Self.escaped)</bdi></th>", "<h2>\(Self.escaped)</h2>",
                "value=\"\(Self.escaped)\"", "<button class=\"button\">\(Self.escaped)</button>",
                "<option value=\"\">\(Self.escaped)</option>", "aria-label=\"\(Self.escaped)\"",
            ] {
                #expect(page.body.contains(markup), "\(markup)")
            }
        }
    }

    @Test("A link that would run a script leads nowhere, and no form is sent to another site")
    func links() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let page = try await application.browser().get("/hostile")
            #expect(!page.body.contains("javascript:"))
            #expect(!page.body.contains("elsewhere.example"))
            #expect(page.body.contains("<a href=\"#\">"))
        }
    }

    @Test("A page has the navigation, the account and its own item as the current one")
    func frame() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "gina", role: Stable.groom)
            let page = try await browser.get("/hay")
            #expect(page.status == 200)
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.body.contains("<h1>Hay plan</h1>"))
            #expect(page.body.contains("<title>Hay plan – Stable</title>"))
            #expect(page.body.contains("<bdi>gina</bdi>"))
            #expect(page.body.contains("<dt>Role</dt><dd dir=\"auto\">groom</dd>"))
            #expect(page.body.contains("<a href=\"/hay\" aria-current=\"page\">"))
            #expect(page.body.contains("<span class=\"heading\">Grooms</span>"))
            #expect(page.body.contains("<span class=\"heading\">Animals</span>"))
            #expect(try await browser.get("/hay/yesterday").body.contains("<a href=\"/hay\" aria-current=\"page\">"))
            #expect(try await browser.get("/admin/horses").body.contains("<a href=\"/hay\"><span class=\"name\">"))
        }
    }

    @Test("The navigation leads only to pages that the account may open, and they are refused to others")
    func permissions() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let groom = try await application.signedIn(as: "gina", role: Stable.groom)
            let clerk = try await application.signedIn(as: "carl", role: Stable.clerk)
            let grooms = try await groom.get("/admin").body, clerks = try await clerk.get("/admin").body
            #expect(grooms.contains("href=\"/hay\"") && !grooms.contains("href=\"/tasks\""))
            #expect(grooms.contains(">Animals</span>") && !clerks.contains(">Animals</span>"))
            #expect(!clerks.contains("href=\"/hay\"") && clerks.contains("href=\"/tasks\""))
            #expect(try await groom.get("/tasks").status == 403)
            #expect(try await clerk.get("/hay").status == 403)
            #expect(try await clerk.get("/tasks").status == 200)
            let stranger = try await application.browser().get("/hay")
            #expect(stranger.status == 303 && stranger.location?.hasPrefix("/login") == true)
        }
    }

    @Test("A page of an error has the items that the account may open")
    func errors() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let groom = try await application.signedIn(as: "gina", role: Stable.groom)
            let missing = try await groom.get("/admin/unicorns")
            #expect(missing.status == 404)
            #expect(missing.body.contains("<span class=\"heading\">Animals</span>"))
            #expect(missing.body.contains("href=\"/hay\"") && !missing.body.contains("href=\"/tasks\""))
        }
    }

    @Test("The page and the navigation are in the language of the browser")
    func language() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "carl")
            let page = try await browser.get("/tasks", headers: ["Accept-Language": "de"])
            #expect(page.body.contains("<html lang=\"de\">"))
            #expect(page.body.contains("<span class=\"name\">Heuplan</span>"))
            #expect(page.body.contains("<span class=\"heading\">Pfleger</span>"))
            #expect(page.body.contains("<span class=\"heading\">Tiere</span>"))
            #expect(page.body.contains("<p dir=\"auto\">de</p>"))
        }
    }

    @Test("A table has the titles of its columns, labels for a phone, and a text in place of no rows")
    func tables() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "gina", role: Stable.groom)
            #expect(try await browser.get("/hay").body.contains("<p dir=\"auto\">No horse is here.</p>"))
            try await application.store().repository(for: Horse.self).insert(Horse(name: "Rex"))
            let page = try await browser.get("/hay")
            #expect(page.rows.map(\.title) == ["Rex"])
            #expect(page.body.contains("<th scope=\"col\" class=\"trailing\">Legs</th>"))
            #expect(page.body.contains("<td class=\"number trailing\" data-label=\"Legs\">4</td>"))
            #expect(page.body.contains("<td class=\"number trailing\" data-label=\"Price\">1,234.57</td>"))
            #expect(page.body.contains("<span class=\"choice hue-0\">Hay</span>"))
            #expect(page.body.contains("Swap<span class=\"spoken\"> Rex</span></button>"))
            #expect(try page.form(action: "/swap")["horse"] != nil)
        }
    }

    @Test("A form without the token of the session is refused, and the page's own form is accepted")
    func forgery() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let horses = try await application.store().repository(for: Horse.self)
            try await horses.insert(Horse(name: "Rex"))
            let browser = try await application.signedIn(as: "gina", role: Stable.groom)
            #expect(try await browser.post("/hay", TestForm(["feed": "oats"])).status == 403)
            let others = try await application.signedIn(as: "olga", role: Stable.groom).csrfToken()
            #expect(try await browser.post("/hay", TestForm(["feed": "oats", "csrf": others])).status == 403)
            #expect(try await horses.fetchAll().map(\.feed) == [.hay])

            let form = try await browser.get("/hay").form(action: "/hay")
            #expect(try await browser.submit(form).status == 303)
            #expect(try await horses.fetchAll().map(\.feed) == [.oats])
        }
    }

    @Test("The page after a change says what was changed, and undoes it, for the account that made it")
    func undoes() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let horses = try await application.store().repository(for: Horse.self)
            try await horses.insert(Horse(name: "Rex"))
            let browser = try await application.signedIn(as: "edith", role: .editor)
            let location = try #require(
                try await browser.submit(try await browser.get("/hay").form(action: "/hay")).location)
            #expect(location.hasPrefix("/hay?did="))
            let commit = try #require(location.split(separator: "=").last.map(String.init))

            let undo = try await browser.get(location).form(action: "/admin/undo/\(commit)")
            let undone = try await browser.submit(undo)
            #expect(undone.status == 303 && undone.location?.hasPrefix("/hay?undone=") == true)
            #expect(try await horses.fetchAll().map(\.feed) == [.hay])
            let other = try await application.signedIn(as: "fay", role: .editor)
            #expect(try await !other.get(location).body.contains("/admin/undo/\(commit)"))
        }
    }

    @Test("A form that is refused is shown again with status 422 and the problem at its field")
    func problems() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "gina", role: Stable.groom)
            var form = try await browser.get("/hay").form(action: "/hay")
            form["feed"] = "cake"
            let page = try await browser.submit(form)
            #expect(page.status == 422)
            #expect(page.body.contains("<p class=\"error\" id=\"error-feed\">"))
            #expect(page.body.contains("Select oats or hay."))
        }
    }

    @Test("A person without an account gets an open page without navigation, and can send its form")
    func strangers() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = application.browser()
            let page = try await browser.get("/visit")
            #expect(page.status == 200)
            #expect(page.body.contains("<h1>Visit us</h1>") && !page.body.contains("<nav"))
            var form = try page.form(action: "/visit")
            form["name"] = "Zoë"
            #expect(try await browser.submit(form).body == "Welcome, Zoë.")
            form["csrf"] = nil
            #expect(try await browser.submit(form).status == 403)
        }
    }

    @Test("Security headers stay on a page, and other headers are the route's")
    func headers() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "ada")
            let page = try await browser.get("/hay"), policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self'"))
            #expect(page.header("X-Content-Type-Options") == "nosniff" && page.header("Cache-Control") == "no-store")
            let kept = try await browser.get("/kept")
            #expect(kept.header("Cache-Control") == "private, max-age=60" && kept.header("X-Hay") == "1")
            #expect(kept.header("Content-Security-Policy") == policy)
        }
    }

    @Test(
        "A header that the server has for itself, and one that is malformed, is never sent",
        arguments: ["open", "split"])
    func reservedHeaders(path: String) async throws {
        try await TestApplication.serve(Stable.self) { application in
            let answer = try await application.signedIn(as: "ada").get("/\(path)")
            #expect(answer.status == 500)
            #expect(answer.header("X-Hay") == nil && answer.header("X-Oats") == nil)
            #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
        }
    }

    @Test("A download has its name, and a redirect leads only to this server")
    func downloads() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "ada")
            let file = try await browser.get("/file")
            #expect(file.status == 200 && file.body == "hay" && file.header("Content-Type") == "text/csv")
            #expect(
                file.header("Content-Disposition")
                    == "attachment; filename=\"Heu f_r _Rex_.csv\"; filename*=UTF-8''Heu%20f%c3%bcr%20_Rex_.csv")
            let moved = try await browser.get("/moved")
            #expect(moved.status == 308 && moved.location == "/hay")
            let away = try await browser.get("/away")
            #expect(away.status == 500 && away.location == nil)
        }
    }

    @Test("A browser gets an error of a route as a page, another program as text")
    func routeErrors() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "ada")
            let page = try await browser.get("/refused", headers: Self.html)
            #expect(page.status == 418 && page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.body.contains("No coffee &lt;here&gt;.") && page.body.contains("href=\"/hay\""))
            let text = try await browser.get("/refused")
            #expect(text.status == 418 && text.body == "No coffee <here>.\n")
        }
    }

    @Test("An error of the store is a page in the words of the admin, with a link back to the form")
    func storeErrors() async throws {
        try await TestApplication.serve(Stable.self) { application in
            let browser = try await application.signedIn(as: "ada")
            let form = TestForm(["csrf": try await browser.csrfToken()])
            let page = try await browser.post("/stalls", form, headers: Self.html)
            #expect(page.status == 422)
            #expect(page.body.contains("This change wasn’t made") && page.body.contains("href=\"/stalls\""))
            #expect(page.body.contains("Name: Use &lt;4&gt; letters. One name is enough."))
        }
    }
}

@Suite("A mistake in the declaration of an own page is found at the start")
struct OwnPageDeclarationTests {
    private func error(_ route: Route) -> String? {
        do {
            _ = try CustomRoutes([route], models: ["Horse"])
            return nil
        } catch {
            return error.description
        }
    }

    @Test("An item of the navigation belongs to a GET without parameters")
    func items() {
        #expect(error(Route.get("/a") { _ in .noContent }.navigationItem("A")) == nil)
        #expect(error(Route.post("/a") { _ in .noContent }.navigationItem("A"))?.contains("for POST") == true)
        #expect(error(Route.get("/a/{b}") { _ in .noContent }.navigationItem("A"))?.contains("parameter") == true)
    }

    @Test("A permission is on a model that the admin shows")
    func models() {
        #expect(error(Route.get("/a", access: .permission(.view, model: "Horse")) { _ in .noContent }) == nil)
        #expect(
            error(Route.get("/a", access: .permission(.view, model: "Unicorn")) { _ in .noContent })?
                .contains("Unicorn") == true)
    }

    @Test("Items without a group come first, then group after group, each in the order of the declarations")
    func order() throws {
        func route(_ name: String, _ group: String?) -> Route {
            Route.get("/" + name) { _ in .noContent }.navigationItem(name, group: group)
        }
        let routes = try CustomRoutes([
            route("a", "X"), route("b", nil), route("c", "Y"), route("d", "X"), route("e", nil),
            Route.get("/f") { _ in .noContent },
        ])
        #expect(routes.navigation.compactMap(\.item?.title) == ["b", "e", "a", "d", "c"])
    }
}
