import AviaryLocalization

/// A message at the top of a page or a sheet.
package struct Notice: Sendable, Component {
    package enum Kind: Sendable {
        case information, success, warning, failure
    }

    let kind: Kind
    let text: LinkedText
    let actions: [NoticeAction]

    /// Creates a notice.
    ///
    /// - Parameter links: The links of names in the text.
    package init(_ kind: Kind, _ text: String, links: [LinkedText.Link] = [], actions: [NoticeAction] = []) {
        self.kind = kind
        self.text = LinkedText(text, links: links)
        self.actions = actions
    }

    package func render(into html: inout HTML) {
        html.element("div", .class("notice \(tone)"), .role(isUrgent ? "alert" : "status")) { html in
            html.render(icon)
            html.element("p", Attribute("dir", "auto")) { $0.render(text) }
            if !actions.isEmpty {
                html.literal(#"<div class="actions">"#)
                for action in actions { html.render(action) }
                html.literal("</div>")
            }
        }
    }

    private var isUrgent: Bool { kind == .warning || kind == .failure }

    private var tone: String {
        switch kind {
        case .information: "information"
        case .success: "success"
        case .warning: "warning"
        case .failure: "failure"
        }
    }

    private var icon: Icon {
        switch kind {
        case .information: .information
        case .success: .check
        case .warning: .warning
        case .failure: .failure
        }
    }
}

/// An action of a notice: a link or a form.
package enum NoticeAction: Sendable, Component {
    case link(title: String, href: String)
    /// A button within a sheet, which submits the current input.
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

/// A confirmation question for an action that affects other records.
package struct Question: Sendable, Component {
    let title: String
    let text: [String]
    /// The links of names in the text.
    let links: [LinkedText.Link]
    /// The title of the button that confirms; nil when there is nothing to confirm.
    let confirmTitle: String?
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let cancelHref: String
    /// The id of the title, for a page of its own. Several questions on one page need different ids.
    package var titleID = "dialog-title"

    package init(
        title: String, text: [String], links: [LinkedText.Link] = [], confirmTitle: String?, action: String,
        csrf: String,
        hidden: [(String, String)], cancelHref: String
    ) {
        self.title = title
        self.text = text
        self.links = links
        self.confirmTitle = confirmTitle
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.cancelHref = cancelHref
    }

    package func render(into html: inout HTML) {
        html.element("section", .class("question"), .labelledBy(titleID)) { html in content(into: &html) }
    }

    private func content(into html: inout HTML) {
        html.element("h1", .id(titleID), text: title)
        for line in text { html.element("p", Attribute("dir", "auto")) { $0.render(LinkedText(line, links: links)) } }
        guard let confirmTitle else {
            html.element("div", .class("actions")) {
                $0.element("a", .class("button"), .href(cancelHref), text: localized("Back"))
            }
            return
        }
        html.element("form", .class("actions"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.element("a", .class("button"), .href(cancelHref), text: localized("Cancel"))
            html.element("button", .class("button danger"), text: confirmTitle)
        }
    }
}

/// A text in which some names are links.
package struct LinkedText: Sendable, Component {
    /// A link of a name, which is given exactly as it appears in the text, including quotes.
    package struct Link: Sendable, Hashable, Codable {
        let phrase: String
        let href: String

        package init(_ phrase: String, href: String) {
            self.phrase = phrase
            self.href = href
        }
    }

    /// A part of the text with its optional link, for scripts.
    package struct Part: Sendable, Hashable, Encodable {
        package let text: String
        package let href: String?
    }

    let text: String
    let links: [Link]

    package init(_ text: String, links: [Link] = []) {
        self.text = text
        self.links = links
    }

    package func render(into html: inout HTML) {
        for part in parts {
            if let href = part.href {
                html.element("a", .href(href), text: part.text)
            } else {
                html.text(part.text)
            }
        }
    }

    /// The parts of the text. A name that occurs more often than it has links remains plain text, because the link
    /// could be at the wrong occurrence.
    package var parts: [Part] {
        var waiting = links.filter { link in
            text.ranges(of: link.phrase).count == links.count { $0.phrase == link.phrase }
        }
        var parts: [Part] = [], rest = text[...]
        func place(_ index: Int) -> (index: Int, range: Range<String.Index>)? {
            rest.firstRange(of: waiting[index].phrase).map { (index, $0) }
        }
        while let next = waiting.indices.compactMap(place).min(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            parts.append(Part(text: String(rest[..<next.range.lowerBound]), href: nil))
            parts.append(Part(text: String(rest[next.range]), href: waiting.remove(at: next.index).href))
            rest = rest[next.range.upperBound...]
        }
        parts.append(Part(text: String(rest), href: nil))
        return parts.filter { !$0.text.isEmpty }
    }
}
