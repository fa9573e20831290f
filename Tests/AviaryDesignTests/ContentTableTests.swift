import AviaryDesign
import Testing

@Suite struct ContentTableTests {
    private let markup = Markup(
        ContentTable(
            caption: "Feeding", columns: ["Animal", "Food", "Kilograms"],
            rows: [
                [.value(.link(title: "Kea", href: "/kea")), .value(.text("Seeds")), .value(.number("0.2"))],
                [.value(.text("Newt"))],
                [.value(.text("Moth")), .value(.empty), .value(.number("0")), .value(.text("beyond"))],
            ]))

    @Test("The first cell heads its row")
    func heads() {
        #expect(markup.all("th").count { $0["scope"] == "row" } == 3)
        #expect(markup.all("a").map { $0["href"] } == ["/kea"])
    }

    @Test("Every other value has the title of its column, for a page that is too narrow for a header")
    func labels() {
        #expect(markup.all("td").compactMap { $0["data-label"] } == ["Food", "Kilograms", "Kilograms"])
    }

    @Test("A row has as many cells as there are columns")
    func cells() {
        #expect(markup.all("td").count == 6)
    }

    @Test("A column of numbers is aligned at its end, and no other")
    func numbers() {
        let classes = markup.all("th").filter { $0["scope"] == "col" }.map { $0["class"] }
        #expect(classes == [nil, nil, "trailing"])
    }

    @Test("A table that may be wider than its page can be reached by keys, and has a name")
    func region() {
        let frame = markup.first("div") { $0["class"] == "frame" }
        #expect(frame?["tabindex"] == "0" && frame?["role"] == "region" && frame?["aria-label"] == "Feeding")
    }
}
