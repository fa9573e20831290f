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
