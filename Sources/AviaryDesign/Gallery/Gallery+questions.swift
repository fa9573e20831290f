extension Gallery {
    func questions(into html: inout HTML) {
        var delete = Question(
            title: "Delete 1 category?",
            text: ["3 animals go with “Parrots”.", "2 keepers will no longer refer to “Parrots”."],
            confirmTitle: "Delete all 4", action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        delete.titleID = "question-delete"
        html.render(delete)
        var denied = Question(
            title: "“\(Self.long)” cannot be deleted yet",
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
            lines: ["It is done a part after the other. What is added from now on stays as it is."],
            chips: ["Diet: Herbivorous", Self.long],
            confirmation: .init(
                label: "To delete them, write “animals”", problem: "Write “animals”, as it stands here."),
            submitTitle: "Delete", isDangerous: true, action: address, csrf: csrf, hidden: [], cancelHref: address
        )
        all.titleID = "question-all"
        all.takesFocus = false
        html.render(all)
    }

    /// As a script makes them: what is done, with Undo and without, and what failed.
    func toasts(into html: inout HTML) {
        html.literal(#"<div class="toasts">"#)
        for (text, action, isFailure) in [
            ("Deleted “Kea”.", String?("Undo"), false), ("Copied.", nil, false),
            ("Deleted “\(Self.long)”.", "Undo", false),
            ("The server did not answer. Nothing is known to be deleted; reload to see.", "Dismiss", true),
        ] {
            html.element("div", .class(isFailure ? "toast failure" : "toast")) { html in
                html.element("span", Attribute("dir", "auto"), text: text)
                if let action { html.element("button", .class("button"), .type("button"), text: action) }
            }
        }
        html.literal("</div>")
    }

    /// What stands alone on a page.
    func pages(into html: inout HTML) {
        html.render(Trail(links: [.init("Activity", href: address), .init(Self.long, href: address)]))
        html.render(
            ErrorPage(
                title: "Something went wrong here", text: "Nothing was changed. Try again.",
                actionTitle: "Go to the overview", actionHref: address,
                reference: "8f14e45f"
            ))
        html.render(
            ErrorPage(
                title: "This page is from before you signed in",
                text: "Nothing was saved yet. What you typed is still here: send it again.",
                actionTitle: "Go to the overview", actionHref: address, reference: nil,
                resend: .init(action: address, csrf: csrf, fields: [])
            ))
        var card = FormCard(
            title: "Choose a password", text: ["It has 12 letters or more."],
            notices: [Notice(.failure, "These are not the same.")],
            action: address, csrf: csrf,
            fields: [
                Field(name: "card-password", label: "New password", control: .password(.new), error: "Write it again.")
            ],
            submitTitle: "Keep it", alternative: ("Cancel", address)
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
