import AviaryLocalization

/// A banner for an unsaved draft, with the actions Continue and Discard.
package struct DraftBanner: Sendable, Component {
    let title: String
    let summary: String?
    let age: String
    let continueHref: String
    let discardAction: String
    let csrf: String
    let hidden: [(String, String)]
    let copy: String?

    /// Creates a banner.
    ///
    /// - Parameter copy: The identifier of the draft's copy, for scripts that wait for a newer one.
    package init(
        title: String, summary: String?, age: String, continueHref: String, discardAction: String, csrf: String,
        hidden: [(String, String)], copy: String? = nil
    ) {
        self.title = title
        self.summary = summary
        self.age = age
        self.continueHref = continueHref
        self.discardAction = discardAction
        self.csrf = csrf
        self.hidden = hidden
        self.copy = copy
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="notice draft" aria-label=""#)
        html.text(localized("Unsaved draft"))
        if let copy {
            html.literal(#"" data-copy=""#)
            html.text(copy)
        }
        html.literal(#"">"#)
        html.render(Icon.draft)
        html.literal("<p><strong>")
        html.text(localized("Unsaved:"))
        html.literal(" ")
        html.text(title)
        html.literal("</strong>")
        if let summary {
            html.literal(", <bdi>")
            html.text(summary)
            html.literal("</bdi>")
        }
        html.literal(#", <span class="age">"#)
        html.text(age)
        html.literal(#"</span></p><div class="actions">"#)
        html.element("a", .class("button"), .href(continueHref)) { html in
            html.text(localized("Continue"))
            about(into: &html)
        }
        html.element("form", .method("post"), .action(discardAction)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.literal(#"<button class="button plain">"#)
            html.text(localized("Discard"))
            about(into: &html)
            html.literal("</button>")
        }
        html.literal("</div></section>")
    }

    /// Writes the subject of the draft for screen readers, because the buttons of several banners must have
    /// different names.
    private func about(into html: inout HTML) {
        html.literal(#"<span class="spoken"> "#)
        html.text(title)
        if let summary {
            html.literal(" ")
            html.text(summary)
        }
        html.literal("</span>")
    }
}

/// The list of drafts. A single draft is a banner; several are collapsed into one line, so that they leave room for
/// the page.
package struct DraftList: Sendable, Component {
    let banners: [DraftBanner]

    /// Creates a list of drafts.
    ///
    /// - Parameter banners: The banners, newest first.
    package init(_ banners: [DraftBanner]) {
        self.banners = banners
    }

    package func render(into html: inout HTML) {
        guard banners.count > 1 else {
            // Scripts insert drafts here that arrive after the page was loaded.
            if banners.isEmpty { html.literal("<template data-drafts></template>") }
            for banner in banners { html.render(banner) }
            return
        }
        html.literal(#"<section class="drafts" aria-label=""#)
        html.text(localized("Unsaved drafts"))
        html.literal(#""><details><summary class="notice draft">"#)
        html.render(Icon.draft)
        html.literal("<strong>")
        html.text(localized(banners.count, one: "1 unsaved draft", other: "\(banners.count) unsaved drafts"))
        html.literal("</strong>")
        if let newest = banners.first {
            html.literal(#"<span class="age">"#)
            html.text(newest.age)
            html.literal("</span>")
        }
        html.render(Icon.next)
        html.literal(#"</summary><div class="draft-list">"#)
        for banner in banners { html.render(banner) }
        html.literal("</div></details></section>")
    }
}
