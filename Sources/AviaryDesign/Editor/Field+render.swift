import AviaryLocalization

extension Field {
    func render(hasFocus: Bool, into html: inout HTML) {
        switch control {
        case .segments(let options, let selected):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                segments(options, selected: selected, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .entries(let list):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                entries(list, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .picker(let picker):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                self.picker(picker, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .toggle(let isOn):
            html.element("div", .class(classes + " switch")) { html in
                html.element("label", .class("label"), .for(id)) { title(into: &$0) }
                toggle(isOn: isOn, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        default:
            html.element(
                "div", .class(classes), Attribute("data-advice", courtesy?.advice),
                Attribute("data-longest", courtesy?.longest.map(String.init)), Attribute("data-least", courtesy?.least),
                Attribute("data-most", courtesy?.most), Attribute("data-pattern", courtesy?.pattern)
            ) { html in
                html.element("label", .class("label"), .for(id)) { title(into: &$0) }
                input(hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        }
    }

    private var classes: String { error == nil ? "field" : "field wrong" }

    private func title(into html: inout HTML) {
        html.text(label)
        if isRequired {
            // The control says so itself to whoever cannot see it.
            html.literal(#"<span class="required" aria-hidden="true">"#)
            html.text(localized("Required"))
            html.literal(#"</span>"#)
        }
    }

    private func remarks(into html: inout HTML) {
        if let error {
            html.element("p", .class("error"), .id(errorID)) { html in
                html.render(Icon.failure)
                html.text(error)
            }
        }
        if let link {
            html.element("p", .class("help")) { html in
                html.element(
                    "a", .href(link), Attribute("rel", "noopener noreferrer"), Attribute("target", "_blank"),
                    text: localized("Open in a new tab"))
            }
        }
        if let help {
            html.element("p", .class("help"), .id(helpID), text: help)
        }
        comparison?.render(into: &html, describedBy: error == nil ? nil : errorID)
        button?.render(into: &html, class: "button plain create")
    }
}
