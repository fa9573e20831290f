extension Gallery {
    static let long = "A name so long that no column, card or sheet was ever made for it, and then some more words"
    static let rightToLeft = "שלום וברכה"

    func colours(into html: inout HTML) {
        html.literal(#"<ul class="swatches">"#)
        for name in Self.tokens {
            html.element("li") { html in
                html.element("span", .class("swatch of-\(name)")) { _ in }
                html.element("code", text: name)
            }
        }
        html.literal("</ul>")
    }

    private static let tokens = [
        "ink", "ink-quiet", "ground", "paper", "raised", "line", "edge", "accent", "on-accent", "accent-ground",
        "danger", "on-danger",
        "danger-ground", "note", "inverse", "on-inverse", "hue-0", "hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6",
        "hue-7",
    ]

    func type(into html: inout HTML) {
        html.literal(
            #"<div class="panel"><p class="as-title">Title</p><p class="as-large">Large</p><p>Text, with <code>code</code> and "#
        )
        html.literal(#"<strong>weight</strong></p><p class="as-small">Small</p></div>"#)
    }

    func icons(into html: inout HTML) {
        html.literal(#"<ul class="swatches">"#)
        for icon in Icon.allCases {
            html.element("li") { html in
                html.render(icon)
                html.element("code", text: "\(icon)")
            }
        }
        html.literal("</ul>")
    }

    func buttons(into html: inout HTML) {
        html.element("div", .class("actions")) { html in
            for (name, title) in [
                ("button", "Normal"), ("button primary", "Primary"), ("button danger", "Danger"),
                ("button plain", "Plain"),
            ] {
                html.element("button", .class(name), .type("button"), text: title)
            }
            html.element("button", .class("button"), .type("button"), .flag("disabled"), text: "Disabled")
            html.element("button", .class("button primary"), .type("button")) { html in
                html.render(Icon.plus)
                html.literal("With an icon")
            }
        }
    }

    func messages(into html: inout HTML) {
        html.render(Notice(.information, "Nothing was ticked. Tick what you want to delete first."))
        html.render(
            Notice(
                .success, "“Kea” is as it was.",
                actions: [.post(title: "Redo", action: address, csrf: csrf, hidden: [])]))
        html.render(
            Notice(
                .warning, "The store does not answer at the moment.",
                actions: [.link(title: "Try again", href: address)]))
        html.render(Notice(.failure, Self.long))
        html.render(
            DraftBanner(
                title: "Add animal", summary: "“\(Self.long)”", age: "2 minutes ago", continueHref: address,
                discardAction: address, csrf: csrf,
                hidden: []
            ))
    }

    func cards(into html: inout HTML) {
        html.element("div", .class("cards")) { html in
            html.render(
                DashboardCard(
                    title: "Animals", href: address, count: 1_234_567, addHref: address, addTitle: "Add animal"))
            html.render(DashboardCard(title: Self.long, href: address, count: nil, addHref: nil, addTitle: nil))
            html.render(
                DashboardCard(title: Self.rightToLeft, href: address, count: 0, addHref: address, addTitle: "Add"))
        }
    }

    func empty(into html: inout HTML) {
        html.render(
            EmptyState(
                title: "No friends yet", text: "What you add appears here.", actionTitle: "Add friend",
                actionHref: address))
        html.render(
            EmptyState(
                title: "Nothing was found", text: "What is added appears here.", actionTitle: nil, actionHref: nil))
    }
}
