import AviaryDesign

/// Returns every component, with the same string in every place that can contain a string.
func everyComponent(_ s: String) -> [any Component] {
    [
        Notice(
            .failure, s, links: [LinkedText.Link(s, href: s)],
            actions: [
                .link(title: s, href: s), .post(title: s, action: s, csrf: s, hidden: [(s, s)]),
            ]),
        DraftBanner(title: s, summary: s, age: s, continueHref: s, discardAction: s, csrf: s, hidden: [(s, s)]),
        ListHeader(title: s, count: 3, addTitle: s, addHref: s),
        RecordTable(
            columns: [
                TableColumn(title: s, sortHref: s, sort: .descending, alignment: .trailing),
                TableColumn(title: s, sortHref: nil, needsLabel: true),
            ],
            rows: [
                TableRow(
                    id: s, href: s, title: s,
                    cells: [
                        .text(s), .number(s), .choice(label: s, hue: -1), .flag(true), .date(machine: s, shown: s),
                        .link(title: s, href: s), .text(s), .empty,
                    ])
            ], deleteAction: s, caption: s, returnTo: s),
        ContentTable(
            caption: s, columns: [s, s, s],
            rows: [
                [
                    .value(.text(s)), .value(.link(title: s, href: s)),
                    .button(PostButton(s, about: s, action: s, csrf: s, hidden: [(s, s)])),
                ]
            ]),
        FormPanel(
            title: s, text: [s], action: s, csrf: s, hidden: [(s, s)],
            fields: [Field(name: s, label: s, control: .multiline(value: s), help: s, error: s)],
            submits: [FormPanel.Submit(s, name: s, value: s)], alternative: (title: s, href: s)),
        PageFooter(summary: s, previousHref: s, nextHref: s),
        EmptyState(title: s, text: s, actionTitle: s, actionHref: s),
        Question(
            title: s, text: [s, s], links: [LinkedText.Link(s, href: s)], confirmTitle: s, action: s, csrf: s,
            hidden: [(s, s)], cancelHref: s),
        ErrorPage(title: s, text: s, actionTitle: s, actionHref: s, reference: s),
        Dashboard(title: s, cards: [DashboardCard(title: s, href: s, count: 1, addHref: s, addTitle: s)]),
        everyField(s),
        Panel(
            title: s, text: [s], facts: [Fact(s, s)],
            actions: [
                .link(title: s, href: s),
                .post(PostButton(s, about: s, action: s, csrf: s, hidden: [(s, s)], style: .plain)),
                .question(title: s, text: s, PostButton(s, action: s, csrf: s, style: .danger)),
            ]),
        FieldForm(
            action: s, csrf: s, hidden: [(s, s)],
            field: Field(name: s, label: s, control: .accountName(value: s, isFixed: true)),
            submitTitle: s),
        SecretCard(title: s, text: [s], notices: [Notice(.success, s)], secrets: [s], doneTitle: s, doneHref: s),
        SecretCard(title: s, text: [s], secrets: [s, s], doneTitle: s, doneHref: s),
        FormCard(
            title: s, text: [s], notices: [Notice(.failure, s)], action: s, csrf: s, hidden: [(s, s)],
            key: SecretKey(label: s, text: s, linkTitle: s, link: s),
            fields: [
                Field(name: s, label: s, control: .password(.new), help: s, error: s),
                Field(name: s, label: s, control: .oneTimeCode),
            ], submitTitle: s, alternative: (title: s, href: s)),
        RecordSheet(title: s, subtitle: s, fields: [Field(name: s, label: s, control: .fixed(text: s))], closeHref: s),
    ]
}

func everyField(_ s: String) -> Sheet {
    let options = [Option(value: s, label: s)]
    let controls: [Control] = [
        .text(value: s, maxLength: 3), .multiline(value: s), .number(value: s, step: s), .date(value: s),
        .dateTime(value: s), .toggle(isOn: true), .segments(options: options, selected: s),
        .select(options: options, selected: s, prompt: s), .fixed(text: s),
    ]
    let button = SheetButton(title: s, name: s, value: s, action: s)
    let search = RecordSearch(label: s, name: s, button: button, choices: s, result: s)
    let more: [Control] = [
        .picker(RecordPicker(options: options, selected: s, search: search)),
        .entries(
            MultiValueField(
                options: options, checked: [s], hidden: (s, s), note: s,
                adding: MultiValueField.Adding(label: s, text: s, suggestions: [s]), search: search
            )),
    ]
    let comparison = Comparison(
        name: s, question: s, choices: [Comparison.Choice(value: s, title: s, text: s, isChosen: true)], before: s)
    let clientValidation = ClientValidation(advice: s, longest: 1, least: s, most: s, pattern: s)
    let row = InlineRows.Row(
        id: s, title: s, hidden: [(s, s)], fields: [Field(name: s, label: s, control: .text(value: s, maxLength: nil))],
        removal: (name: s, isOn: true, label: s), error: s)
    let rows = InlineRows(
        name: s, label: s, rows: [row], blank: row, add: button, notes: [s], error: s, isRequired: true)
    let fields = (controls + more).map {
        Field(
            name: s, label: s, control: $0, help: s, error: s, isRequired: true, comparison: comparison, button: button,
            clientValidation: clientValidation)
    }
    return Sheet(
        title: s, subtitle: s, action: s, csrf: s, hidden: [(s, s)],
        draft: SheetDraft(action: s, discardAction: s, address: s, note: s),
        notices: [Notice(.warning, s)],
        errors: [FieldError(field: s, label: s, message: s), FieldError(field: nil, message: s)],
        sections: [SheetSection(title: s, parts: fields.map(SheetPart.field) + [.rows(rows)])],
        buttons: SheetButtons(saveTitle: s, cancelTitle: s, saveAnd: button))
}

func page(
    _ s: String, csrf: String? = "token", person: AccountMenu? = nil, places: Int = 6,
    sheet: ((inout HTML) -> Void)? = nil
) -> [UInt8] {
    let items = (1...places).map {
        NavigationItem(
            title: s, href: "/\($0)", count: $0, isCurrent: $0 == 2, icon: $0 == 3 ? .calendar : nil,
            group: $0 > 4 ? s : nil)
    }
    let layout = PageLayout(
        title: s, application: s, navigation: items,
        assets: PageAssets(stylesheet: "/a.css", script: "/a.js", icon: "/a.svg"),
        csrf: csrf, person: person)
    var html = HTML()
    layout.render(into: &html, notices: [Notice(.success, s)], sheet: sheet) { $0.element("p", text: s) }
    return html.bytes
}

/// Returns a realistic sheet.
func animalSheet(errors: [FieldError] = [], fields: [Field]? = nil) -> Sheet {
    let name = Field(
        name: "name", label: "Name", control: .text(value: "", maxLength: nil), help: "As on its sign.",
        error: errors.first?.message, isRequired: true)
    return Sheet(
        title: "Add animal", subtitle: nil, action: "/admin/animals", csrf: "token", hidden: [("draft", "d1")],
        draft: SheetDraft(
            action: "/admin/animals/draft", discardAction: "/admin/animals/draft/discard",
            address: "/admin/animals/new", note: "Changes apply once you save."),
        errors: errors, fields: fields ?? [name])
}
