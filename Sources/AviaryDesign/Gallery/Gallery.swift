/// Every component in every state on one page, for those who work on them: where one looks wrong, it looks wrong here.
package struct Gallery: Component {
    /// Shown instead where one asks for the sheet, which covers the page.
    package static let sheetQuery = "show=sheet"
    package static let title = "Design"

    let address: String
    let stylesheet: String
    let csrf: String

    /// - Parameters:
    ///   - address: Where this page is.
    ///   - stylesheet: Of what only this page has.
    package init(address: String, stylesheet: String, csrf: String) {
        self.address = address
        self.stylesheet = stylesheet
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.void("link", Attribute("rel", "stylesheet"), .href(stylesheet))
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
        part("Narrowing", into: &html, content: narrowing)
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
