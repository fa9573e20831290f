package import AviaryDesign
import AviaryPublic

/// A page with every component in every state, for the development of the components.
package struct Gallery: Component {
    /// The query that shows the sheet instead, because a sheet covers the page.
    private static let sheetQuery = "show=sheet"
    private static let title = "Design"

    let address: String
    let csrf: String

    /// Creates the gallery.
    ///
    /// - Parameters:
    ///   - address: The address of the gallery page. The address of its style sheet is below it.
    ///   - csrf: The token that forms send back.
    package init(address: String, csrf: String) {
        self.address = address
        self.csrf = csrf
    }

    /// The style sheet that only this page uses.
    package static var stylesheet: [UInt8] { PackageResources.gallery_css }

    /// Returns the document with the gallery, or with the sheet over it.
    ///
    /// - Parameters:
    ///   - user: The name of the account that is signed in.
    ///   - showsSheet: A Boolean value that indicates whether the sheet is open.
    package func document(for user: String, showsSheet: Bool) -> [UInt8] {
        func asset(_ name: String) -> String { "/assets/\(PublicFiles.version)/\(name)" }
        let layout = PageLayout(
            title: Self.title, application: "Gallery",
            navigation: [NavigationItem(title: "Overview", href: "/admin")],
            assets: PageAssets(
                stylesheet: asset("aviary.css"), script: asset("aviary.js"), icon: asset("favicon.svg")),
            csrf: csrf,
            person: AccountMenu(name: user, role: "admin", href: "/admin/account", signOutAction: "/logout"))
        var html = HTML()
        layout.render(into: &html, sheet: showsSheet ? { $0.render(sheet) } : nil) { $0.render(self) }
        return html.bytes
    }

    package func render(into html: inout HTML) {
        html.void("link", Attribute("rel", "stylesheet"), .href(address + "/gallery.css"))
        html.render(
            ListHeader(
                title: Self.title, count: 1234, matches: "42", addTitle: "Open the sheet",
                addHref: "\(address)?\(Self.sheetQuery)"))
        part("Colours", into: &html, content: colours)
        part("Type", into: &html, content: type)
        part("Icons", into: &html, content: icons)
        part("Buttons", into: &html, content: buttons)
        part("Messages", into: &html, content: messages)
        part("Cards", into: &html, content: cards)
        part("List", into: &html, content: list)
        part("Filters", into: &html, content: filters)
        part("Tables", into: &html, content: tables)
        part("Empty", into: &html, content: empty)
        part("Fields", into: &html, content: fields)
        part("Choosing", into: &html, content: choosing)
        part("Rows", into: &html, content: rows)
        part("Questions", into: &html, content: questions)
        part("Progress", into: &html, content: progress)
        part("Toasts", into: &html, content: toasts)
        part("Panels", into: &html, content: panels)
        part("Activity", into: &html, content: activity)
        part("Charts", into: &html, content: charts)
        part("Pages", into: &html, content: pages)
    }

    private func part(_ title: String, into html: inout HTML, content: (inout HTML) -> Void) {
        html.element("section", .class("sample")) { html in
            html.element("h2", text: title)
            content(&html)
        }
    }
}

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
        html.render(Notice(.information, "Nothing selected. Select the records to delete first."))
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
                title: "No friends yet", text: "Records you add appear here.", actionTitle: "Add friend",
                actionHref: address))
        html.render(
            EmptyState(
                title: "No results", text: "Added records appear here.", actionTitle: nil, actionHref: nil))
    }
}

extension Gallery {
    func questions(into html: inout HTML) {
        var delete = Question(
            title: "Delete 1 category?",
            text: [
                "3 animals that belong to “Parrots” will be deleted too.",
                "2 keepers will no longer refer to “Parrots”.",
            ],
            confirmTitle: "Delete all 4", action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        delete.titleID = "question-delete"
        html.render(delete)
        var denied = Question(
            title: "“\(Self.long)” can’t be deleted yet",
            text: ["1 loan still refers to it. Delete or change it first."],
            confirmTitle: nil, action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        denied.titleID = "question-denied"
        html.render(denied)
        var some = BatchForm(
            title: "Mark as fed: 3 animals?", lines: [], chips: [], confirmation: nil, submitTitle: "Mark as fed",
            isDangerous: false,
            action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        some.titleID = "question-some"
        html.render(some)
        var all = BatchForm(
            title: "Delete all 10,000+ animals that match?",
            lines: ["Records added in the meantime are kept."],
            chips: ["Diet: Herbivorous", Self.long],
            confirmation: .init(
                label: "To confirm, enter “animals”", problem: "Enter “animals” exactly as shown."),
            submitTitle: "Delete", isDangerous: true, action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        all.titleID = "question-all"
        all.takesFocus = false
        html.render(all)
    }

    /// Writes toasts as a script creates them: completed actions with and without Undo, and a failure.
    func toasts(into html: inout HTML) {
        html.literal(#"<div class="toasts">"#)
        for (text, action, isFailure) in [
            ("Deleted “Kea”.", String?("Undo"), false), ("Copied.", nil, false),
            ("Deleted “\(Self.long)”.", "Undo", false),
            ("Couldn’t confirm the delete: the server didn’t respond. Reload the page to check.", "Dismiss", true),
        ] {
            html.element("div", .class(isFailure ? "toast failure" : "toast")) { html in
                html.element("span", Attribute("dir", "auto"), text: text)
                if let action { html.element("button", .class("button"), .type("button"), text: action) }
            }
        }
        html.literal("</div>")
    }

    /// Writes samples of components that normally fill a page of their own.
    func pages(into html: inout HTML) {
        html.render(Breadcrumbs(links: [.init("Activity", href: address), .init(Self.long, href: address)]))
        html.render(
            ErrorPage(
                title: "Something went wrong", text: "Nothing was changed. Try again.",
                actionTitle: "Go to overview", actionHref: address,
                reference: "8f14e45f"
            ))
        html.render(
            ErrorPage(
                title: "This page was opened before you signed in",
                text: "Nothing was saved yet. Your changes are still here. Send them again.",
                actionTitle: "Go to overview", actionHref: address, reference: nil,
                resend: .init(action: address, csrf: csrf, fields: [])
            ))
        var card = FormCard(
            title: "Choose a password", text: ["It has 12 letters or more."],
            notices: [Notice(.failure, "These are not the same.")],
            action: address, csrf: csrf,
            fields: [
                Field(name: "card-password", label: "New password", control: .password(.new), error: "Write it again.")
            ],
            submitTitle: "Keep row", alternative: ("Cancel", address)
        )
        card.takesFocus = false
        html.render(card)
        html.render(
            SecretCard(
                title: "Recovery codes", text: ["Each is good once."],
                secrets: ["7f3k-91ab", "m2zq-44cd", "x8pw-07ef"], doneTitle: "Done", doneHref: address
            ))
        html.render(
            SecretCard(
                title: "A link for ada", text: ["It is good once."],
                secrets: ["https://zoo.example/login?link=\(String(repeating: "a1b2", count: 12))"],
                doneTitle: "Done", doneHref: address
            ))
    }
}
