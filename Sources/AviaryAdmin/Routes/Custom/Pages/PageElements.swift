import AviaryDesign

/// A paragraph of a page, in which names can be links.
///
/// ```swift
/// PageText("The keepers plan in Animals.", links: ["Animals": "/admin/animals"])
/// ```
public struct PageText: PageElement, PagePart {
    private let text: LinkedText

    /// Creates a paragraph.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - links: The words of the text that are links, with their addresses. See ``PageLink`` for addresses. Words
    ///     that occur more often in the text than among the links stay plain text.
    public init(_ text: String, links: KeyValuePairs<String, String> = [:]) {
        self.text = LinkedText(text, links: links.map { LinkedText.Link($0.key, href: $0.value) })
    }

    /// The paragraph itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        html.element("p", Attribute("dir", "auto")) { $0.render(text) }
    }
}

/// A heading within a page. The title of the page is a heading already.
public struct PageHeading: PageElement, PagePart {
    /// The rank of a heading.
    public enum Level: Sendable, Hashable {
        /// A section of the page.
        case section
        /// A part of a section or of a ``PagePanel``.
        case subsection
    }

    private let text: String
    private let level: Level

    /// Creates a heading.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - level: The rank; a section by default.
    public init(_ text: String, level: Level = .section) {
        self.text = text
        self.level = level
    }

    /// The heading itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        html.element(level == .section ? "h2" : "h3", Attribute("dir", "auto"), text: text)
    }
}

/// A link to another page.
///
/// An address is a path on this server, a query or fragment (`?week=2`, `#birds`), or begins with `https://` or
/// `http://`. Any other becomes `#`, so that a link made from user input runs no script.
public struct PageLink: PageElement, PagePart {
    /// The look of a link.
    public enum Style: Sendable, Hashable {
        /// A link in a line of its own.
        case text
        /// A link that looks like a button.
        case button
        /// A link that looks like the most important button of the page.
        case primary
    }

    private let title: String
    private let address: String
    private let style: Style

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - title: The text of the link.
    ///   - address: The address.
    ///   - style: The look; plain text by default.
    public init(_ title: String, to address: String, style: Style = .text) {
        self.title = title
        self.address = address
        self.style = style
    }

    /// The link itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        if context.isInRow {
            link(into: &html)
        } else if style == .text {
            html.element("p") { link(into: &$0) }
        } else {
            html.element("div", .class("actions")) { link(into: &$0) }
        }
    }

    private func link(into html: inout HTML) {
        switch style {
        case .text: html.element("a", .href(address), text: title)
        case .button: html.element("a", .class("button"), .href(address), text: title)
        case .primary: html.element("a", .class("button primary"), .href(address), text: title)
        }
    }
}

/// Links and buttons side by side.
///
/// ```swift
/// PageActions {
///     PageLink("Print", to: "/feeding-plan/print", style: .button)
///     PageButton("Feed all", to: "/feeding-plan/all", style: .primary)
/// }
/// ```
public struct PageActions: PageElement, PagePart {
    private let actions: PageContent

    /// Creates a row of links and buttons.
    ///
    /// - Parameter actions: A closure that builds the links and buttons.
    public init(@PageBuilder _ actions: () throws -> PageContent) rethrows { self.actions = try actions() }

    /// The row itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        let wasInRow = context.isInRow
        context.isInRow = true
        html.element("div", .class("actions")) { actions.render(into: &$0, in: &context) }
        context.isInRow = wasInRow
    }
}

/// A message in a coloured box, for instance that a form was refused.
public struct PageNotice: PageElement, PagePart {
    /// The kind of a message, which its colour and its icon show.
    public enum Kind: Sendable, Hashable {
        /// A remark.
        case information
        /// A message that something was done.
        case success
        /// A message about something that may do harm. Screen readers interrupt for it.
        case warning
        /// A message that something was not done. Screen readers interrupt for it.
        case failure
    }

    private let notice: Notice

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - text: The text.
    ///   - links: The words of the text that are links, with their addresses.
    public init(_ kind: Kind, _ text: String, links: KeyValuePairs<String, String> = [:]) {
        let kind: Notice.Kind =
            switch kind {
            case .information: .information
            case .success: .success
            case .warning: .warning
            case .failure: .failure
            }
        notice = Notice(kind, text, links: links.map { LinkedText.Link($0.key, href: $0.value) })
    }

    /// The message itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) { html.render(notice) }
}

/// A list of labels and their values.
///
/// ```swift
/// PageFacts(["Animals": "15", "Food per day": "112 kg"])
/// ```
public struct PageFacts: PageElement, PagePart {
    private let facts: [Fact]

    /// Creates a list from labels and values.
    ///
    /// - Parameter facts: The labels with their values, in the order of the page.
    public init(_ facts: KeyValuePairs<String, String>) { self.init(facts.map { ($0.key, $0.value) }) }

    /// Creates a list from labels and values that are known only when the program runs.
    ///
    /// - Parameter facts: The labels with their values, in the order of the page.
    public init(_ facts: [(label: String, value: String)]) { self.facts = facts.map { Fact($0.label, $0.value) } }

    /// The list itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        guard !facts.isEmpty else { return }  // a list of nothing is not valid HTML
        html.element("dl", .class("facts")) { html in
            for fact in facts { html.render(fact) }
        }
    }
}

/// A box with a title around other elements.
public struct PagePanel: PageElement, PagePart {
    private let title: String
    private let elements: PageContent

    /// Creates a box.
    ///
    /// - Parameters:
    ///   - title: The title, which is a heading of the page.
    ///   - elements: A closure that builds the elements in the box.
    public init(_ title: String, @PageBuilder _ elements: () throws -> PageContent) rethrows {
        self.title = title
        self.elements = try elements()
    }

    /// The box itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        Panel(title: title).render(into: &html) { elements.render(into: &$0, in: &context) }
    }
}
