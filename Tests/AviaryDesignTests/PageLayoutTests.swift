import AviaryDesign
import Testing

@Suite struct PageLayoutTests {
    @Test("A sheet is an open modal dialog with a name, and the page behind it is inert")
    func sheet() throws {
        let markup = Markup(page("Animals") { $0.render(animalSheet()) })
        let app = try #require(markup.first("div") { $0["class"] == "app" })
        let dialog = try #require(markup.first("dialog"))
        #expect(app["inert"] != nil)
        #expect(dialog["open"] != nil)
        #expect(dialog["aria-modal"] == "true")
        #expect(markup.first("h2") { $0["id"] == dialog["aria-labelledby"] } != nil)
    }

    @Test("A page without a sheet is not inert")
    func noSheet() {
        let markup = Markup(page("Animals"))
        #expect(markup.first("div")?["inert"] == nil)
        #expect(markup.all("dialog").isEmpty)
    }

    @Test("The current navigation item is marked for assistive technology")
    func current() {
        let current = Markup(page("Animals")).all("a").filter { $0["aria-current"] == "page" }
        #expect(current.map { $0["href"] } == ["/2", "/2"])
    }

    @Test("The tab bar has at most four items, and the last opens the others")
    func tabs() {
        let markup = Markup(page("Animals"))
        #expect(markup.all("a").filter { $0["class"] == "tab" }.map { $0["href"] } == ["/1", "/2", "/3"])
        #expect(markup.all("summary").count == 1)
    }

    @Test("Adjacent places of one group have one heading, in both navigations")
    func groups() {
        let markup = Markup(page("Animals"))
        #expect(markup.all("li").count { $0["class"] == "group" } == 2)
        #expect(markup.all("span").count { $0["class"] == "heading" } == 2)
    }

    @Test("The CSRF token is in the page if there is one")
    func token() {
        #expect(Markup(page("x")).first("meta") { $0["name"] == "csrf-token" }?["content"] == "token")
        #expect(Markup(page("x", csrf: nil)).first("meta") { $0["name"] == "csrf-token" } == nil)
    }

    @Test("The first link skips to the content")
    func skip() {
        let markup = Markup(page("x"))
        #expect(markup.first("a")?["href"] == "#main")
        #expect(markup.first("main")?["id"] == "main")
    }

    @Test(
        "Both navigations link to the account and have a sign-out form with the CSRF token")
    func person() {
        let markup = Markup(page("x", person: ada))
        #expect(markup.all("a").count { $0["href"] == "/ada" } == 2)
        #expect(markup.all("form").map { $0["action"] } == ["/out", "/out"])
        #expect(markup.all("input").filter { $0["name"] == "csrf" }.map { $0["value"] } == ["token", "token"])
    }

    @Test("A page without a CSRF token has no sign-out form")
    func personWithoutToken() {
        let markup = Markup(page("x", csrf: nil, person: ada))
        #expect(markup.all("a").count { $0["href"] == "/ada" } == 2)
        #expect(markup.all("form").isEmpty)
    }

    @Test("On a phone, signing out is in the More menu", arguments: [1, 3, 4])
    func personOnPhone(places: Int) {
        let markup = Markup(page("x", person: ada, places: places))
        #expect(markup.all("summary").count == 1)
        #expect(markup.all("a").count { $0["class"] == "tab" } == min(places, 3))
    }

    @Test("A page without an account has no sign-out form")
    func nobody() {
        #expect(Markup(page("x")).all("form").isEmpty)
    }

    private let ada = AccountMenu(name: "ada", role: "editor", href: "/ada", signOutAction: "/out")
}
