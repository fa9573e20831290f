package import AviaryDesign

extension Gallery {
    /// Writes samples of the filters and the column choice.
    func filters(into html: inout HTML) {
        html.render(
            FilterChips(
                [
                    FilterChip(text: "Search: “kea”", removeHref: address),
                    FilterChip(text: "Diet: Herbivorous or Omnivorous", removeHref: address),
                    FilterChip(text: Self.long, removeHref: address),
                    FilterChip(text: Self.rightToLeft, removeHref: address),
                ], removeAllHref: address
            ))
        html.render(
            FilterPanel(
                action: address, hidden: [],
                groups: [
                    FilterGroup(
                        title: "Diet",
                        boxes: Self.options.enumerated().map { index, option in
                            FilterGroup.Box(
                                name: "filter.diet", value: option.value, label: option.label, isTicked: index == 1)
                        }),
                    FilterGroup(
                        title: "Born",
                        bounds: [
                            .init(name: "filter.born.from", value: "2020-01-01", label: "From", kind: .day),
                            .init(name: "filter.born.to", value: "", label: "To", kind: .day),
                        ]),
                    FilterGroup(
                        title: "Weight",
                        bounds: [
                            .init(name: "filter.weight.from", value: "1500", label: "From", kind: .number),
                            .init(name: "filter.weight.to", value: "1200", label: "To", kind: .number),
                        ], problem: "The start is after the end."),
                    FilterGroup(
                        title: "Category",
                        boxes: [.init(name: "filter.category", value: "a", label: Self.long, isTicked: true)],
                        finder: .init(
                            name: "find.category", value: "par", label: "Find a category",
                            note: "More than 20 are found. Write more letters.")
                    ),
                ], closeHref: address, removeHref: address
            ))
        html.render(
            ColumnPanel(
                columns: [
                    .init(name: "name", title: "Name", isShown: true),
                    .init(name: "diet", title: "Diet", isShown: false),
                    .init(name: "note", title: Self.long, isShown: true),
                ], action: address, csrf: csrf, hidden: [], closeHref: address
            ))
    }

    func tables(into html: inout HTML) {
        let time = ActivityEntry.Time(shown: "20 Nov 2026, 18:39 UTC", machine: "2026-11-20T18:39:55.123Z")
        html.render(
            EventTable(rows: [
                .init(
                    time: time, what: "Signed in", isAlarming: false, person: "ada", address: "192.0.2.7", subject: nil),
                .init(
                    time: time, what: "Sign-in failed", isAlarming: true, person: nil, address: "2001:db8::1",
                    subject: nil),
                .init(
                    time: time, what: "Exported records", isAlarming: false, person: Self.rightToLeft, address: nil,
                    subject: Self.long),
            ]))
        html.render(
            PlainTable(
                caption: "First lines", columns: ["Name", "Born"],
                rows: [["Kea", "2026-11-20"], [Self.rightToLeft, Self.long]]))
        html.element("div", .class("content")) { html in
            html.render(
                ContentTable(
                    caption: "Feeding", columns: ["Animal", "Food", "Kilograms", "Fed", "Done"],
                    rows: [
                        [
                            .value(.link(title: "Kea", href: address)), .value(.choice(label: "Seeds", hue: 1)),
                            .value(.number("0.2")), .value(.flag(true)),
                            .button(PostButton("Feed", about: "Kea", action: address, csrf: csrf)),
                        ],
                        [
                            .value(.text(Self.long)), .value(.link(title: Self.rightToLeft, href: address)),
                            .value(.number("1,204")), .value(.empty),
                            .button(PostButton("Feed", about: Self.long, action: address, csrf: csrf)),
                        ],
                    ]))
        }
    }

    func progress(into html: inout HTML) {
        // The script handles the first one only, so it shows a stopped operation.
        let states: [(String, String, String?, Bool, NoticeAction?)] = [
            (
                "Delete: at work", "Deleted 500 animals so far.", "Couldn’t load the animals. Continue in a moment.",
                false, nil
            ),
            (
                "Archive: running", "Processed 12,500 animals so far. 3 can’t be changed and were skipped.",
                nil, false, nil
            ),
            (
                "Animals deleted", "Deleted 50 animals.", nil, true,
                .post(title: "Undo", action: address, csrf: csrf, hidden: [])
            ),
            (
                "Mark as fed: done", "Processed 1,200 animals.", nil, true,
                .link(title: "Undo in Activity…", href: address)
            ),
        ]
        for (index, (title, text, problem, isFinished, undo)) in states.enumerated() {
            var status = BatchStatus(
                title: title, text: text, problem: problem, isFinished: isFinished, action: address, csrf: csrf,
                hidden: [],
                backTitle: isFinished ? "Back to the animals" : "Stop", backHref: address, undo: undo
            )
            status.titleID = "progress-\(index)"
            html.render(status)
        }
    }
}

extension Gallery {
    func list(into html: inout HTML) {
        html.render(
            ListTools(
                search: .init(label: "Search animals", value: "kea", action: address, hidden: []),
                filters: .init(href: address, isOpen: false, count: 2),
                items: [.init("Columns…", href: address), .init("Delete all…", href: address, isDangerous: true)]
            ))
        html.render(
            RecordTable(
                columns: [
                    TableColumn(title: "Name", sortHref: address, sort: .ascending),
                    TableColumn(title: "Diet", sortHref: address),
                    TableColumn(title: "Weight", sortHref: nil, alignment: .trailing, needsLabel: true),
                    TableColumn(title: "Seen", sortHref: nil, needsLabel: true),
                    TableColumn(title: "Tame", sortHref: nil, needsLabel: true),
                    TableColumn(title: "Page", sortHref: nil),
                ],
                rows: [
                    row(
                        "1", "Kea",
                        [
                            .choice(label: "Herbivorous", hue: 0), .number("1,200"),
                            .date(machine: "2026-11-20", shown: "20 Nov 2026"), .flag(true), .empty,
                        ], isSaved: true),
                    row(
                        "2", Self.long,
                        [
                            .choice(label: "Carnivorous", hue: 2), .number("3"), .empty, .flag(false),
                            .link(title: "kea.example", href: "https://kea.example"),
                        ]),
                    row("3", Self.rightToLeft, [.empty, .empty, .empty, .empty, .text(Self.long)]),
                ], deleteAction: address, caption: "Animals", returnTo: nil
            ))
        html.render(PageFooter(summary: "3 of 1,234,567 animals", previousHref: address, nextHref: address))
    }

    private func row(_ id: String, _ name: String, _ cells: [TableCell], isSaved: Bool = false) -> TableRow {
        TableRow(id: id, href: address, title: name, cells: [.text(name)] + cells, isSaved: isSaved)
    }

    /// Writes a field of each kind, without and with an error.
    func fields(into html: inout HTML) {
        html.element("div", .class("board")) { html in
            for (index, (label, control)) in Self.controls.enumerated() {
                html.element("div", .class("panel")) { html in
                    let field = Field(
                        name: "sample-\(index)", label: label, control: control, help: "What it is for.",
                        isRequired: index == 0)
                    field.render(hasFocus: false, into: &html)
                    guard field.takesFocus else { return }
                    Field(name: "wrong-\(index)", label: label, control: control, error: "Say what to do instead.")
                        .render(hasFocus: false, into: &html)
                }
            }
        }
    }

    static let options = [
        Option(value: "a", label: "Herbivorous"), Option(value: "b", label: "Carnivorous"),
        Option(value: "c", label: "Omnivorous"),
    ]

    static let controls: [(String, Control)] = [
        ("Text", .text(value: "Kea", maxLength: 80)), ("Long text", .multiline(value: "Two\nlines")),
        ("Number", .number(value: "1200", step: "1")), ("Address", .url(value: "https://kea.example")),
        ("Date", .date(value: "2026-11-20")), ("Date and time", .dateTime(value: "2026-11-20T18:39")),
        ("Switch", .toggle(isOn: true)),
        ("Few choices", .segments(options: options, selected: "a")),
        ("Many choices", .select(options: options, selected: "b", prompt: "Choose one")),
        ("Secret", .secret(clearing: nil, isClearing: false)), ("Password", .password(.new)), ("Code", .oneTimeCode),
        ("Fixed", .fixed(text: long)),
    ]

    func panels(into html: inout HTML) {
        html.element("div", .class("panels")) { html in
            html.render(
                Panel(
                    title: "Access", text: ["What is so, and what can be done about it."],
                    facts: [Fact("Role", "editor"), Fact("Made", Self.long)],
                    actions: [
                        .link(title: "Go there", href: address),
                        .post(PostButton("Do it", action: address, csrf: csrf)),
                        .question(
                            title: "Disable…", text: "It can be enabled again.",
                            PostButton("Disable", action: address, csrf: csrf, style: .danger)),
                    ]
                ))
        }
    }

    func activity(into html: inout HTML) {
        let time = ActivityEntry.Time(shown: "2 minutes ago", machine: "2026-11-20T18:39:55.123Z")
        html.render(
            PageTabs(
                label: "Sample",
                places: [
                    .init("Changes", href: address, isCurrent: true),
                    .init("Sign-ins", href: address, isCurrent: false),
                ]))
        html.render(
            ActivityList(days: [
                .init(
                    title: "Today",
                    entries: [
                        ActivityEntry(
                            person: .init("ada", href: address), time: time,
                            sentence: .init("Changed animal “Kea”", href: address),
                            differences: [
                                RecordDifference(
                                    .changed, what: "Changed animal", title: "Kea", href: address,
                                    fields: [
                                        FieldDifference("Diet", before: "Herbivorous", after: "Carnivorous"),
                                        FieldDifference("Note", before: nil, after: Self.long),
                                        FieldDifference(
                                            "Chip", before: nil, after: nil, remark: "Changed (secret)"),
                                    ])
                            ],
                            actions: [
                                .question(
                                    title: "Undo…", text: "It can be done again.",
                                    PostButton("Undo", action: address, csrf: csrf, style: .primary))
                            ]
                        ),
                        ActivityEntry(
                            person: .init("bob", href: address), time: time,
                            sentence: .init("Deleted 3 animals", href: address),
                            differences: [
                                RecordDifference(
                                    .deleted, what: "Deleted animal", title: Self.long, href: nil, fields: [])
                            ],
                            rest: .init("and 2 more", href: address),
                            remark: .init("undoes an earlier step", href: address), isUndone: true
                        ),
                    ])
            ]))
    }

    func charts(into html: inout HTML) {
        html.element("div", .class("board")) { html in
            html.render(
                DayChart(
                    title: "Changes", summary: "435 records were changed.", unit: "Changes",
                    days: (1...30).map { DayChart.Day(title: "\($0) Nov 2026", count: $0 % 7 == 0 ? 0 : $0) }
                ))
            html.render(
                ShareChart(
                    title: "Animals by diet", href: address,
                    shares: (0..<8).map {
                        ShareChart.Share(title: "Choice \($0)", count: $0 * $0 * 10, hue: $0)
                    }))
            html.render(
                RecentActivity(
                    lines: [
                        .init(
                            sentence: .init("Added animal “Kea”", href: address), person: "ada",
                            time: .init(shown: "just now", machine: "2026-11-20"))
                    ], allHref: address))
        }
    }

    /// The sample sheet, with a field of each kind and with errors.
    package var sheet: Sheet {
        Sheet(
            title: "Edit animal", subtitle: Self.long, action: address, csrf: csrf, hidden: [],
            draft: SheetDraft(
                action: address, discardAction: address, address: address, note: "Changes apply once you save."),
            notices: [Notice(.warning, "Someone else changed this in the meantime.")],
            errors: [FieldError(field: "sheet-0", label: "Text", message: "Give a name.")],
            fields: Self.controls.enumerated().map { index, control in
                Field(
                    name: "sheet-\(index)", label: control.0, control: control.1,
                    error: index == 0 ? "Give a name." : nil)
            })
    }
}
