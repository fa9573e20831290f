import AviaryLocalization

/// The document around the content of a page.
package struct PageLayout: Sendable {
    let title: String
    let application: String
    let navigation: [NavigationItem]
    let assets: PageAssets
    let csrf: String?
    let person: AccountMenu?

    package init(
        title: String, application: String, navigation: [NavigationItem], assets: PageAssets, csrf: String?,
        person: AccountMenu? = nil
    ) {
        self.title = title
        self.application = application
        self.navigation = navigation
        self.assets = assets
        self.csrf = csrf
        self.person = person
    }

    /// Writes a document without navigation, for users who are not signed in.
    ///
    /// - Parameter isWide: True for a page to read, which is as wide as the admin's; false for a short form in the
    ///   middle.
    package func renderAlone(into html: inout HTML, isWide: Bool = false, main: (inout HTML) -> Void) {
        begin(into: &html)
        head(into: &html)
        html.literal(isWide ? #"<body class="alone wide">"# : #"<body class="alone">"#)
        html.literal(#"<main id="main"><p class="brand"><span class="mark"></span><bdi>"#)
        html.text(application)
        html.literal("</bdi></p>")
        main(&html)
        html.literal("</main></body></html>\n")
    }

    private func begin(into html: inout HTML) {
        html.literal("<!doctype html>\n<html lang=\"")
        html.text(Language.currentCode)
        html.literal("\">")
    }

    /// Writes the document. An optional sheet is open over the page, which is then inert.
    package func render(
        into html: inout HTML,
        notices: [Notice] = [],
        sheet: ((inout HTML) -> Void)? = nil,
        main: (inout HTML) -> Void
    ) {
        begin(into: &html)
        head(into: &html)
        html.literal("<body")
        if let words = ScriptText.inUse { Attribute("data-words", words).write(into: &html) }
        html.literal(">")
        html.element("div", .class("app"), .flag("inert", sheet != nil)) { html in
            html.literal("<a class=\"skip\" href=\"#main\">")
            html.text(localized("Skip to content"))
            html.literal("</a>")
            html.render(Sidebar(application: application, items: navigation, person: person, csrf: csrf))
            html.literal(#"<main id="main" tabindex="-1">"#)
            for notice in notices { html.render(notice) }
            main(&html)
            html.literal("</main>")
            html.render(TabBar(items: navigation, person: person, csrf: csrf))
        }
        if let sheet {
            // The server opens the dialog, so that the sheet is modal without scripts.
            html.literal(#"<div class="backdrop" data-backdrop></div>"#)
            html.literal(#"<dialog class="sheet" open aria-modal="true" aria-labelledby="dialog-title" data-sheet>"#)
            sheet(&html)
            html.literal("</dialog>")
        }
        html.literal("</body></html>\n")
    }
}

extension PageLayout {
    func head(into html: inout HTML) {
        html.literal(#"<head><meta charset="utf-8">"#)
        html.literal(#"<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">"#)
        html.literal(#"<meta name="color-scheme" content="light dark">"#)
        if let csrf {
            html.void("meta", .name("csrf-token"), Attribute("content", csrf))
        }
        html.literal("<title>")
        html.text(title)
        html.literal(" – ")
        html.text(application)
        html.literal("</title>")
        html.void("link", Attribute("rel", "icon"), .type("image/svg+xml"), .href(assets.icon))
        html.void("link", Attribute("rel", "stylesheet"), .href(assets.stylesheet))
        // Browsers defer modules by default.
        html.element("script", .type("module"), .src(assets.script)) { _ in }
        html.literal("</head>")
    }
}

/// The local addresses of the style sheet, the script and the icon.
package struct PageAssets: Sendable {
    let stylesheet: String
    let script: String
    let icon: String

    package init(stylesheet: String, script: String, icon: String) {
        self.stylesheet = stylesheet
        self.script = script
        self.icon = icon
    }
}
