/// Rows of texts to look at.
package struct PlainTable: Sendable, Component {
    let caption: String
    let columns: [String]
    let rows: [[String]]

    package init(caption: String, columns: [String], rows: [[String]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    package func render(into html: inout HTML) {
        html.element("div", .class("frame"), Attribute("tabindex", "0"), .role("region"), .label(caption)) { html in
            html.element("table", .class("plain")) { html in
                html.element("caption", .class("spoken"), text: caption)
                html.element("thead") { html in
                    html.element("tr") { html in
                        for column in columns {
                            html.element("th", Attribute("scope", "col"), Attribute("dir", "auto"), text: column)
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in rows {
                        html.element("tr") { html in
                            for cell in row { html.element("td", Attribute("dir", "auto"), text: cell) }
                        }
                    }
                }
            }
        }
    }
}
