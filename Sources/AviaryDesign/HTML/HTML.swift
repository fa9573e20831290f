import AviaryLocalization

/// An append-only buffer of UTF-8 HTML.
///
/// Markup comes from the program's own literals; data enters only through `text`, which escapes it.
package struct HTML: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    /// Indicates whether the output exceeded the limit. Nothing is written after that point.
    package private(set) var isCutOff = false
    private let limit: Int

    /// The default limit in bytes, larger than any legible page: a form of the maximum size fits, with its text
    /// escaped.
    package static let usualLimit = 8 * 1024 * 1024

    /// Creates an empty buffer.
    ///
    /// - Parameter limit: The maximum size in bytes.
    package init(capacity: Int = 64 * 1024, limit: Int = HTML.usualLimit) {
        self.limit = limit
        bytes.reserveCapacity(capacity)
    }

    /// Appends trusted markup. The type `StaticString` admits only compile-time literals.
    @inline(__always)
    package mutating func literal(_ markup: StaticString) {
        markup.withUTF8Buffer { append($0) }
    }

    @inline(__always)
    mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
        guard hasRoom(for: run.count) else { return }
        bytes.append(contentsOf: run)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard hasRoom(for: 1) else { return }
        bytes.append(byte)
    }

    @inline(__always)
    private mutating func hasRoom(for count: Int) -> Bool {
        if isCutOff || count > limit - bytes.count { isCutOff = true }
        return !isCutOff
    }
}

/// A part of a page that renders its own markup.
package protocol Component {
    func render(into html: inout HTML)
}

extension HTML {
    /// Appends an element with its content.
    package mutating func element(
        _ name: StaticString, _ attributes: Attribute..., content: (inout HTML) throws -> Void
    ) rethrows {
        open(name, attributes)
        try content(&self)
        literal("</")
        literal(name)
        literal(">")
    }

    /// Appends an element that contains only text.
    package mutating func element(_ name: StaticString, _ attributes: Attribute..., text: String) {
        open(name, attributes)
        self.text(text)
        literal("</")
        literal(name)
        literal(">")
    }

    /// Appends an element without content, such as `input` or `meta`.
    package mutating func void(_ name: StaticString, _ attributes: Attribute...) {
        open(name, attributes)
    }

    package mutating func render(_ component: some Component) {
        component.render(into: &self)
    }

    private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
        literal("<")
        literal(name)
        for attribute in attributes { attribute.write(into: &self) }
        literal(">")
    }
}

extension HTML {
    /// Appends data, escaped for the text of an element and for a quoted attribute value.
    ///
    /// The method works on bytes. A comparison of grapheme clusters would miss a quote that is followed by a
    /// combining mark.
    package mutating func text(_ string: String) {
        let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isWritten == nil {
            Array(string.utf8).withUnsafeBufferPointer { escape($0) }
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<utf8.count {
            // All bytes that need a replacement are at or below ">".
            guard utf8[index] <= 0x3E, let replacement = Self.replacement(of: utf8[index]) else { continue }
            append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
            literal(replacement)
            start = index + 1
        }
        append(UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    @inline(__always)
    private static func replacement(of byte: UInt8) -> StaticString? {
        switch byte {
        case 0x22: "&quot;"
        case 0x26: "&amp;"
        case 0x27: "&#39;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        // Browsers convert a bare carriage return into a line feed, which would change the data on the next save.
        case 0x0D: "&#13;"
        // HTML cannot represent NUL.
        case 0x00: "\u{FFFD}"
        default: nil
        }
    }
}

extension HTML {
    /// Appends a number in machine-readable form: decimal digits without grouping.
    package mutating func text(_ number: Int) {
        digits(of: number, grouped: false)
    }

    /// Appends a number for people: `12,408`.
    package mutating func grouped(_ number: Int) {
        guard Language.current == nil else { return text(NumberText.grouped(number)) }
        digits(of: number, grouped: true)
    }

    private mutating func digits(of number: Int, grouped: Bool) {
        if number < 0 { append(0x2D) }
        var rest = number.magnitude
        var divisor: UInt = 1
        var place = 0
        while rest / divisor >= 10 {
            divisor *= 10
            place += 1
        }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + rest / divisor))
            if grouped, place > 0, place % 3 == 0 { append(0x2C) }
            rest %= divisor
            divisor /= 10
            place -= 1
        }
    }
}

extension HTML {
    /// Appends the address of a link in an element that is written with literals. An unsafe address becomes `#`.
    @inline(__always)
    mutating func link(_ address: String) {
        text(SafeURL.isLocal(address) ? address : SafeURL.safe(address, in: "href"))
    }
}

extension HTML {
    /// Appends a percent-encoded value of a link's query.
    mutating func query(_ value: String) {
        // Identifiers, which are the most frequent values, need no encoding.
        if value.utf8.allSatisfy(Self.isUnreserved) { return text(value) }
        for byte in value.utf8 {
            if Self.isUnreserved(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append(Self.hexadecimal(byte >> 4))
                append(Self.hexadecimal(byte & 0xF))
            }
        }
    }

    @inline(__always)
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    @inline(__always)
    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}

/// An icon in the colour of the surrounding text. An icon is never the only carrier of a meaning.
package enum Icon: Sendable, CaseIterable, Component {
    case plus, previous, next, ascending, descending, trash, check, close, overview, list, more
    case information, warning, failure, draft, search
    case arrow, filter, undo, activity, people
    case calendar, chart, clock, document, mail, map, tag

    package func render(into html: inout HTML) {
        html.literal(
            #"<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" "#)
        html.literal(#"stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=""#)
        html.literal(path)
        html.literal(#""/></svg>"#)
    }

    private var path: StaticString {
        switch self {
        case .plus: "M8 3.25v9.5M3.25 8h9.5"
        case .previous: "M9.75 3.75 5.5 8l4.25 4.25"
        case .next: "M6.25 3.75 10.5 8l-4.25 4.25"
        case .ascending: "M4.25 9.75 8 6l3.75 3.75"
        case .descending: "M4.25 6.25 8 10l3.75-3.75"
        case .trash: "M2.75 4.5h10.5M6 4.5V2.75h4V4.5M4 4.5l.6 8.75h6.8L12 4.5M6.75 7.25v3.5M9.25 7.25v3.5"
        case .check: "M3.25 8.5 6.5 11.75l6.25-7.5"
        case .close: "M4 4l8 8M12 4l-8 8"
        case .overview: "M2.75 2.75h4v5h-4zM9.25 2.75h4v2.5h-4zM9.25 8.25h4v5h-4zM2.75 10.75h4v2.5h-4z"
        case .list: "M2.75 4h.01M2.75 8h.01M2.75 12h.01M6 4h7.25M6 8h7.25M6 12h7.25"
        case .more: "M3.5 8h.01M8 8h.01M12.5 8h.01"
        case .information: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 7.5v3.25M8 5.25h.01"
        case .warning: "M8 2 14.5 13.25h-13zM8 6.5v3M8 11.4h.01"
        case .failure: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 5v3.5M8 10.75h.01"
        case .arrow: "M3 8h10M9.25 4.25 13 8l-3.75 3.75"
        case .filter: "M2.75 4h10.5M4.75 8h6.5M6.75 12h2.5"
        case .undo: "M3.25 6.25h6.5a3.5 3.5 0 0 1 0 7H6M6 3.25l-3 3 3 3"
        case .activity: "M1.75 8h3l2-4.75 2.75 9.5 2-4.75h2.75"
        case .people:
            "M6 7.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 1 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3a2.25 2.25 0 0 1 0 4.25M12 9.75c1.5.5 2.5 1.75 2.5 3.75"
        case .search: "M7 2.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5M10.25 10.25l3 3"
        case .calendar: "M2.75 4h10.5v9.25H2.75zM2.75 7h10.5M5.5 2.5v3M10.5 2.5v3"
        case .chart: "M2.75 2.75v10.5h10.5M5.75 10.5V8M8.5 10.5V5.5M11.25 10.5V7"
        case .clock: "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 4.5V8l2.5 1.5"
        case .document: "M3.75 1.75h5.5l3 3v9.5h-8.5zM9 2v3h3M6 8h4M6 11h4"
        case .mail: "M1.75 3.5h12.5v9H1.75zM2 4l6 4.75L14 4"
        case .map:
            "M8 14.25c-3-3.25-4.5-5.5-4.5-7.5a4.5 4.5 0 0 1 9 0c0 2-1.5 4.25-4.5 7.5M8 5.25a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3"
        case .tag: "M2.75 2.75h5l5.5 5.5-5 5-5.5-5.5zM5.5 5.5h.01"
        case .draft: "M10.75 2.75l2.5 2.5-7.5 7.5-3.25.75.75-3.25zM9 4.5 11.5 7"
        }
    }
}
