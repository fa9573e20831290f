extension Gallery {
    /// What narrows a list, and what chooses its columns.
    func narrowing(into html: inout HTML) {
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
                        ], problem: "This ends before it begins."),
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
                caption: "The first lines", columns: ["Name", "Born"],
                rows: [["Kea", "2026-11-20"], [Self.rightToLeft, Self.long]]))
    }

    func progress(into html: inout HTML) {
        // The first is what a script looks at, and it is one that has stopped.
        let states: [(String, String, String?, Bool, NoticeAction?)] = [
            (
                "Delete: at work", "500 animals deleted so far.", "The animals could not be read. Go on in a moment.",
                false, nil
            ),
            (
                "Archive: at work", "12,500 animals done, 3 refused: other records or rules stand against it so far.",
                nil, false, nil
            ),
            (
                "Delete: done", "50 animals deleted.", nil, true,
                .post(title: "Undo", action: address, csrf: csrf, hidden: [])
            ),
            (
                "Mark as fed: done", "1,200 animals done.", nil, true,
                .link(title: "Take back under Activity…", href: address)
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
