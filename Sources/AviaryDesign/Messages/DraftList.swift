import AviaryLocalization

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
