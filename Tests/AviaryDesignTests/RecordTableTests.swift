import AviaryDesign
import Testing

@Suite struct RecordTableTests {
    let markup = Markup(
        RecordTable(
            columns: [
                TableColumn(title: "Name", sortHref: "/a?sort=-name", sort: .ascending),
                TableColumn(title: "Changed", sortHref: nil, sort: nil, alignment: .trailing),
            ],
            rows: [
                TableRow(
                    id: "1f", href: "/admin/animals/1f", title: "Newt",
                    cells: [.text("Newt"), .date(machine: "2025-11-12T09:30:00Z", shown: "yesterday")])
            ],
            deleteAction: "/admin/animals/delete", caption: "Animals", returnTo: "/admin/animals?q=a&b"))

    @Test("The selected rows are submitted to the confirmation page, with the address of the list")
    func form() {
        #expect(markup.first("form")?["method"] == "get")
        #expect(markup.first("form")?["action"] == "/admin/animals/delete")
        #expect(markup.first("input") { $0["name"] == "id" }?["value"] == "1f")
        #expect(markup.first("input") { $0["name"] == "return" }?["value"] == "/admin/animals?q=a&amp;b")
    }

    @Test("Each row has a delete link that names the record")
    func delete() {
        let link = markup.first("a") { $0["data-delete"] != nil }
        #expect(link?["href"] == "/admin/animals/delete?id=1f&amp;return=%2Fadmin%2Fanimals%3Fq%3Da%26b")
        #expect(link?["aria-label"] == "Delete Newt")
    }

    @Test("The name is the row header and links to the record")
    func name() {
        #expect(markup.first("th") { $0["scope"] == "row" } != nil)
        #expect(markup.first("a") { $0["href"] == "/admin/animals/1f" } != nil)
    }

    @Test("The sorted column has aria-sort")
    func sorted() {
        #expect(markup.all("th").compactMap { $0["aria-sort"] } == ["ascending"])
    }

    @Test("Only a value that needs a label has the title of its column")
    func labels() {
        let columns = ["Name", "Legs", "Diet", "Tame"].map {
            TableColumn(title: $0, sortHref: nil, needsLabel: $0 != "Diet")
        }
        let row = TableRow(
            id: "1", href: "/1", title: "x",
            cells: [.text("x"), .number("4"), .choice(label: "Herbivorous", hue: 0), .empty])
        let markup = Markup(RecordTable(columns: columns, rows: [row], deleteAction: nil, caption: "c", returnTo: nil))
        #expect(markup.all("td").map { $0["data-label"] } == ["Legs", nil, nil])
    }

    @Test("A time has a machine-readable value and an exact tooltip")
    func time() {
        #expect(markup.first("time")?["datetime"] == "2025-11-12T09:30:00Z")
        #expect(markup.first("time")?["title"] == "2025-11-12T09:30:00Z")
    }

    @Test(
        "A hue outside the palette wraps around",
        arguments: [(-1, "choice hue-7"), (8, "choice hue-0"), (3, "choice hue-3")])
    func hue(hue: Int, expected: String) {
        let row = TableRow(id: "1", href: "/1", title: "x", cells: [.text("x"), .choice(label: "y", hue: hue)])
        let markup = Markup(RecordTable(columns: [], rows: [row], deleteAction: "/d", caption: "c", returnTo: nil))
        #expect(markup.first("span") { $0["class"]?.hasPrefix("choice") == true }?["class"] == expected)
    }
}
