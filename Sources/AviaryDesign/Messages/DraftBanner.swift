import AviaryLocalization

/// Work that was begun and not saved, with the two ways on.
package struct DraftBanner: Sendable, Component {
    let title: String
    let summary: String?
    let age: String
    let continueHref: String
    let discardAction: String
    let csrf: String
    let hidden: [(String, String)]
    let copy: String?

    /// - Parameter copy: Which copy of the draft it is, for scripts that wait for a newer one.
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
        html.text(localized("Unsaved work"))
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

    /// Several banners may stand above each other; their buttons must not sound the same.
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

/// The drafts that wait: a single one as it is, of several a line that opens, so that they do not take the place of the page.
package struct DraftList: Sendable, Component {
    let banners: [DraftBanner]

    /// - Parameter banners: The newest first.
    package init(_ banners: [DraftBanner]) {
        self.banners = banners
    }

    package func render(into html: inout HTML) {
        guard banners.count > 1 else {
            // Scripts put a draft here that arrives when the page is there already.
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
