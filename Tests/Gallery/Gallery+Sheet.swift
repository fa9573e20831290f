import AviaryDesign

extension Gallery {
    /// Writes samples of record pickers and of both sides of a conflict.
    func choosing(into html: inout HTML) {
        html.element("div", .class("board")) { html in
            for field in [
                picker(error: nil), picker(error: "Choose one that is there."), entries(error: nil),
                entries(error: "Choose one at least."), conflict,
            ] {
                html.element("div", .class("panel")) { field.render(hasFocus: false, into: &$0) }
            }
        }
    }

    private var step: SheetButton { SheetButton(title: "Find", name: "step", value: "find", action: address) }

    private func search(_ name: String?) -> RecordSearch {
        RecordSearch(
            label: "Find a category", name: name, button: step, choices: address,
            result: "2 of 1,200 categories match “par”.")
    }

    private func picker(error: String?) -> Field {
        let name = error == nil ? "picker" : "picker-wrong"
        return Field(
            name: name, label: "Category",
            control: .picker(
                RecordPicker(
                    options: [
                        Option(value: "", label: "None"), Option(value: "a", label: "Parrots"),
                        Option(value: "b", label: Self.long),
                    ],
                    selected: "a", search: search(name + "-text")
                )), help: "What it belongs to.", error: error,
            button: SheetButton(title: "New category…", name: "new", value: name, action: address)
        )
    }

    private func entries(error: String?) -> Field {
        let name = error == nil ? "entries" : "entries-wrong"
        return Field(
            name: name, label: "Keepers",
            control: .entries(
                MultiValueField(
                    options: [
                        Option(value: "\(name)-a", label: "Ada"), Option(value: "\(name)-b", label: Self.rightToLeft),
                    ], checked: ["\(name)-a"],
                    hidden: (name, ""), note: "Write a name to add one more.",
                    adding: .init(label: "Add a keeper", text: "", suggestions: ["Grace", "Linus"])
                )), error: error
        )
    }

    private var conflict: Field {
        Field(
            name: "conflict", label: "Name", control: .text(value: "Kea", maxLength: 80),
            error: "Someone else changed this in the meantime.",
            comparison: Comparison(
                name: "keep-name", question: "Which is to be kept?",
                choices: [
                    .init(value: "mine", title: "Yours", text: "Kea", isChosen: true),
                    .init(value: "theirs", title: "ada’s", text: Self.long, isChosen: false),
                ], before: "Kaka")
        )
    }

    /// Writes samples of rows: valid, with an error, marked for removal; and an empty group.
    func rows(into html: inout HTML) {
        html.element("div", .class("board")) { html in
            html.element("div", .class("panel")) { rowGroup.render(focus: nil, into: &$0) }
            html.element("div", .class("panel")) { html in
                InlineRows(
                    name: "loans", label: "Loans", rows: [], blank: nil, add: add("loans"), notes: [], error: nil
                )
                .render(focus: nil, into: &html)
                FieldGroup(
                    name: "home", label: "Address",
                    fields: [
                        Field(
                            name: "home-street", label: "Street",
                            control: .text(value: "4 Privet Drive", maxLength: nil)),
                        Field(
                            name: "home-town", label: "Town", control: .text(value: "", maxLength: nil),
                            error: "Write a town."),
                    ], help: "Where it lives.", error: nil, isRequired: true
                ).render(focus: nil, into: &html)
            }
        }
    }

    private func add(_ name: String) -> SheetButton {
        SheetButton(title: "Add a row", name: "add", value: name, action: address)
    }

    private var rowGroup: InlineRows {
        let rows = [
            ("Number 1", String?.none, false), ("Number 2", "Another copy has this number.", false),
            ("Number 3", nil, true),
        ].enumerated()
        return InlineRows(
            name: "copies", label: "Copies",
            rows: rows.map { index, row in
                InlineRows.Row(
                    id: "copy-\(index)", title: row.0, hidden: [],
                    fields: [
                        Field(
                            name: "copy-\(index)-mark", label: "Shelfmark",
                            control: .text(value: "AUS-00\(index)", maxLength: 7),
                            error: row.1 == nil ? nil : "Choose another."),
                        Field(
                            name: "copy-\(index)-state", label: "Condition",
                            control: .select(options: Self.options, selected: "a", prompt: nil)),
                    ], removal: ("remove-\(index)", row.2, "Delete this copy"), error: row.1
                )
            }, blank: nil, add: add("copies"), notes: ["3 of 12 are shown."], error: "1 copy needs another look."
        )
    }
}
