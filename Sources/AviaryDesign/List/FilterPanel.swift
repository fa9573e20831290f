import AviaryLocalization

/// A form with all filters of a list, which leads to the filtered list.
package struct FilterPanel: Sendable, Component {
    let action: String
    /// The query parameters of the address other than the filters.
    let hidden: [(String, String)]
    let groups: [FilterGroup]
    let closeHref: String
    /// The address of the list without filters; nil when no filter is active.
    let removeHref: String?

    package init(
        action: String, hidden: [(String, String)], groups: [FilterGroup], closeHref: String, removeHref: String?
    ) {
        self.action = action
        self.hidden = hidden
        self.groups = groups
        self.closeHref = closeHref
        self.removeHref = removeHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="filters" aria-labelledby="filters-title"><h2 id="filters-title">"#)
        html.text(localized("Filters"))
        html.literal(#"</h2>"#)
        html.element("form", .method("get"), .action(action)) { html in
            html.render(HiddenFields(fields: hidden))
            html.literal(#"<div class="filter-groups">"#)
            for group in groups { html.render(group) }
            html.literal(#"</div><div class="actions"><button class="button primary">"#)
            html.text(localized("Apply"))
            html.literal(#"</button>"#)
            if let removeHref {
                html.element("a", .class("button"), .href(removeHref), text: localized("Clear filters"))
            }
            html.element("a", .class("button plain"), .href(closeHref), text: localized("Close"))
            html.literal("</div>")
        }
        html.literal("</section>")
    }
}

/// A filter of the panel.
package struct FilterGroup: Sendable, Component {
    /// A checkbox of a filter.
    package struct Box: Sendable {
        let name: String
        let value: String
        let label: String
        let isTicked: Bool

        package init(name: String, value: String, label: String, isTicked: Bool) {
            self.name = name
            self.value = value
            self.label = label
            self.isTicked = isTicked
        }
    }

    /// A bound of a range.
    package struct Bound: Sendable {
        package enum Kind: Sendable {
            case day, number, text
        }

        let name: String
        let value: String
        let label: String
        let kind: Kind

        package init(name: String, value: String, label: String, kind: Kind) {
            self.name = name
            self.value = value
            self.label = label
            self.kind = kind
        }
    }

    /// A search field for further checkboxes.
    package struct Finder: Sendable {
        let name: String
        let value: String
        let label: String
        /// A note about the values that are not displayed.
        let note: String?

        package init(name: String, value: String, label: String, note: String?) {
            self.name = name
            self.value = value
            self.label = label
            self.note = note
        }
    }

    let title: String
    let boxes: [Box]
    let bounds: [Bound]
    /// The error of the bounds.
    let problem: String?
    let finder: Finder?

    package init(title: String, boxes: [Box] = [], bounds: [Bound] = [], problem: String? = nil, finder: Finder? = nil)
    {
        self.title = title
        self.boxes = boxes
        self.bounds = bounds
        self.problem = problem
        self.finder = finder
    }

    package func render(into html: inout HTML) {
        html.literal(#"<fieldset class="filter"><legend>"#)
        html.text(title)
        html.literal("</legend>")
        if !bounds.isEmpty {
            html.literal(#"<div class="range">"#)
            for bound in bounds { field(bound, into: &html) }
            html.literal("</div>")
        }
        if let problem, let problemID {
            html.element("p", .class("error"), .id(problemID)) { html in
                html.render(Icon.failure)
                html.text(problem)
            }
        }
        if let finder { field(finder, into: &html) }
        if !boxes.isEmpty {
            html.literal(#"<div class="boxes">"#)
            for box in boxes { field(box, into: &html) }
            html.literal("</div>")
        }
        if let note = finder?.note { html.element("p", .class("help"), text: note) }
        html.literal("</fieldset>")
    }

    private func field(_ box: Box, into html: inout HTML) {
        html.literal("<label>")
        html.void("input", .type("checkbox"), .name(box.name), .value(box.value), .flag("checked", box.isTicked))
        html.literal("<bdi>")
        html.text(box.label)
        html.literal("</bdi></label>")
    }

    private func field(_ bound: Bound, into html: inout HTML) {
        html.literal("<label><span>")
        html.text(bound.label)
        html.literal(#"</span> <span class="spoken">"#)
        html.text(title)
        html.literal("</span>")
        let problemID = problem == nil ? nil : problemID
        html.void(
            "input", .type(bound.kind.inputType), Attribute("step", bound.kind == .number ? "any" : nil),
            .name(bound.name), .value(bound.value),
            Attribute("aria-invalid", problemID == nil ? nil : "true"), .describedBy(problemID)
        )
        html.literal("</label>")
    }

    private var problemID: String? { bounds.first.map { "problem-" + $0.name } }

    private func field(_ finder: Finder, into html: inout HTML) {
        html.literal(#"<div class="finder">"#)
        html.void(
            "input", .type("search"), .name(finder.name), .value(finder.value), .label(finder.label),
            Attribute("placeholder", localized("Search")), Attribute("maxlength", "200"),
            Attribute("autocomplete", "off"), Attribute("dir", "auto")
        )
        html.element("button", .class("button"), .name("panel"), .value("filters")) { html in
            html.text(localized("Search"))
            html.literal(#"<span class="spoken"> "#)
            html.text(title)
            html.literal("</span>")
        }
        html.literal("</div>")
    }
}

extension FilterGroup.Bound.Kind {
    fileprivate var inputType: String {
        switch self {
        case .day: "date"
        case .number: "number"
        case .text: "text"
        }
    }
}

/// An active filter of a list, with a link to the list without it.
package struct FilterChip: Sendable, Component {
    package let text: String
    let removeHref: String

    package init(text: String, removeHref: String) {
        self.text = text
        self.removeHref = removeHref
    }

    package func render(into html: inout HTML) {
        html.literal("<li>")
        html.element("a", .class("chip"), .href(removeHref)) { html in
            html.literal(#"<span class="spoken">"#)
            html.text(localized("Remove"))
            html.literal(#" </span><bdi>"#)
            html.text(text)
            html.literal("</bdi>")
            html.render(Icon.close)
        }
        html.literal("</li>")
    }
}

/// The active filters of a list as text.
package struct FilterChips: Sendable, Component {
    let chips: [FilterChip]
    let removeAllHref: String

    package init(_ chips: [FilterChip], removeAllHref: String) {
        self.chips = chips
        self.removeAllHref = removeAllHref
    }

    package func render(into html: inout HTML) {
        guard !chips.isEmpty else { return }
        html.literal(#"<ul class="chips" aria-label=""#)
        html.text(localized("Active filters"))
        html.literal(#"">"#)
        for chip in chips { html.render(chip) }
        if chips.count > 1 {
            html.literal("<li>")
            html.element("a", .class("button plain"), .href(removeAllHref), text: localized("Clear all"))
            html.literal("</li>")
        }
        html.literal("</ul>")
    }
}
