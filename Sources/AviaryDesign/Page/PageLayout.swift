import AviaryLocalization
import Foundation

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

/// A form that chooses the language of the pages. Each language has its own name for itself.
package struct LanguageForm: Sendable, Component {
    package struct Language: Sendable {
        let code: String
        let name: String

        package init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    let languages: [Language]
    let action: String
    let csrf: String
    let returnPath: String

    package init(languages: [Language], action: String, csrf: String, returnPath: String) {
        self.languages = languages
        self.action = action
        self.csrf = csrf
        self.returnPath = returnPath
    }

    package func render(into html: inout HTML) {
        let current = AviaryLocalization.Language.currentCode
        html.element("form", .class("language"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: [("return", returnPath)]))
            html.element("label", .class("spoken"), .for("language"), text: localized("Language"))
            html.element("div", .class("field")) { html in
                html.element("select", .id("language"), .name("language")) { html in
                    for language in languages {
                        html.element(
                            "option", .value(language.code), Attribute("lang", language.code),
                            .flag("selected", language.code == current), text: language.name
                        )
                    }
                }
            }
            html.element("button", .class("button"), text: localized("Apply"))
        }
    }
}

/// The texts of the scripts in the current language. The scripts contain the English texts.
enum ScriptText {
    /// The translations as JSON; nil for English.
    static var inUse: String? {
        guard Language.current != nil else { return nil }
        let words = Dictionary(sentences.map { ($0, $0.translated) }, uniquingKeysWith: { first, _ in first })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The encoding of strings cannot fail. Without the translations, scripts use English.
        return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The English texts of the scripts. A test compares them with the scripts.
    static let sentences = [
        "%@ in your time zone (%@)",
        "%@ selected",
        "Add record",
        "Cancel",
        "Close",
        "Couldn’t confirm the cancellation: the server didn’t respond. Your changes are still here, and it’s safe to try again.",
        "Couldn’t confirm the delete: the server didn’t respond. Reload the page to check.",
        "Couldn’t confirm the draft: the server didn’t respond. Leave this page open, and try again.",
        "Couldn’t confirm the save: the server didn’t respond. Your changes are still here, and it’s safe to try again.",
        "Couldn’t load your latest changes in time. Check the fields before you save.",
        "Couldn’t reach the server, so your changes may not be saved. They’re still here, and it’s safe to try again.",
        "Ctrl Z",
        "Del",
        "Delete row or selection",
        "Dismiss",
        "Done",
        "Draft not saved. Save now, or your changes are lost when you leave.",
        "Draft not saved: something went wrong on the server. Leave this page open, and try again in a moment.",
        "Draft not saved: the server isn’t responding. Leave this page open, and try again in a moment.",
        "Draft not saved: the server isn’t responding. Still trying.",
        "Draft not saved: you’re offline. Leave this page open, and try again when you’re back online.",
        "Draft not saved: you’re offline. Still trying.",
        "Draft saved in this browser. Changes apply once you save.",
        "Enter",
        "Keyboard shortcuts",
        "Loading your latest changes…",
        "Move up or down",
        "Not cancelled yet. Your changes are kept as a draft.",
        "Not cancelled: something went wrong on the server. Your changes are still here. Try again in a moment.",
        "Not cancelled: the server isn’t responding. Your changes are still here. Try again in a moment.",
        "Not cancelled: you’re offline. Your changes are still here. Try again when you’re back online.",
        "Not deleted. Reload the page and try again.",
        "Not saved yet. Your changes are kept as a draft.",
        "Not saved: something went wrong on the server. Your changes are still here, and it’s safe to try again.",
        "Not saved: you’re offline. Your changes are still here. Try again when you’re back online.",
        "Open record",
        "Saved earlier: only the server’s response was lost. Try again to continue.",
        "Search",
        "Select all on this page",
        "Select row",
        "Select",
        "Show keyboard shortcuts",
        "Still cancelling: the server is slow to respond.",
        "Still saving the draft: the server is slow to respond.",
        "Still saving: the server is slow to respond.",
        "Stop waiting",
        "The server isn’t responding. Select Continue when it’s back. Nothing is lost or done twice.",
        "The server isn’t responding. Try again.",
        "Try again",
        "Undo last delete",
        "Undo",
        "Use keyboard shortcuts in this browser",
    ]
}
