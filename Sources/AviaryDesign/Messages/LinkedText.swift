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
