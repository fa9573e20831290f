import AviaryDesign
import Testing

@Suite struct PageLayoutTests {
    @Test("A page behind a sheet is inert, and the sheet is an open modal dialog with a name")
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

    @Test("The current place is marked for those who cannot see it")
    func current() {
        let current = Markup(page("Animals")).all("a").filter { $0["aria-current"] == "page" }
        #expect(current.map { $0["href"] } == ["/2", "/2"])
    }

    @Test("A phone has four tabs at most, and the other places behind the last")
    func tabs() {
        let markup = Markup(page("Animals"))
        #expect(markup.all("a").filter { $0["class"] == "tab" }.map { $0["href"] } == ["/1", "/2", "/3"])
        #expect(markup.all("summary").count == 1)
    }

    @Test("The token for posting is there when there is one")
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
}
