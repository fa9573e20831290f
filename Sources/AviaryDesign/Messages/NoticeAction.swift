/// What one can do about a notice: go somewhere, or have something done.
package enum NoticeAction: Sendable, Component {
    case link(title: String, href: String)
    /// Within a sheet, which is sent as it is typed.
    case step(SheetButton)
    case post(title: String, action: String, csrf: String, hidden: [(String, String)])

    package func render(into html: inout HTML) {
        switch self {
        case .link(let title, let href):
            html.element("a", .class("button"), .href(href), text: title)
        case .step(let button):
            button.render(into: &html)
        case .post(let title, let action, let csrf, let hidden):
            html.element("form", .method("post"), .action(action)) { html in
                html.render(HiddenFields(csrf: csrf, fields: hidden))
                html.element("button", .class("button"), text: title)
            }
        }
    }
}
