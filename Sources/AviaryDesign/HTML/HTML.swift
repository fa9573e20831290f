import AviaryLocalization

/// An append-only buffer of UTF-8 HTML.
///
/// Markup comes from the program's own literals; data enters only through `text`, which escapes it.
package struct HTML: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether there was more to write than may be; then nothing was written from there on.
    package private(set) var isCutOff = false
    private let limit: Int

    /// Longer than any page that somebody could read: a form of the largest size is in it, with its text escaped.
    package static let usualLimit = 8 * 1024 * 1024

    /// - Parameter limit: In bytes.
    package init(capacity: Int = 64 * 1024, limit: Int = HTML.usualLimit) {
        self.limit = limit
        bytes.reserveCapacity(capacity)
    }

    /// Appends trusted markup; `StaticString` lets only compile-time literals in.
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

/// A piece of a page that knows its own markup.
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

    /// Appends an element that holds nothing but text.
    package mutating func element(_ name: StaticString, _ attributes: Attribute..., text: String) {
        open(name, attributes)
        self.text(text)
        literal("</")
        literal(name)
        literal(">")
    }

    /// Appends an element that has no content, such as `input` or `meta`.
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
    /// Appends data, safe in an element's text and in a quoted attribute's value.
    ///
    /// Works on bytes: by grapheme clusters a quote followed by a combining mark would not equal a quote.
    package mutating func text(_ string: String) {
        let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isWritten == nil {
            Array(string.utf8).withUnsafeBufferPointer { escape($0) }
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<utf8.count {
            // Everything that needs a replacement sorts at or before ">".
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
        // Browsers would turn a bare carriage return into a line feed, and data would change on the next save.
        case 0x0D: "&#13;"
        // HTML has no way to carry a NUL.
        case 0x00: "\u{FFFD}"
        default: nil
        }
    }
}

extension HTML {
    /// Appends a number for machines: decimal digits, no grouping.
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
    /// Appends a link's address where an element is written by literals; unsafe addresses become `#`.
    @inline(__always)
    mutating func link(_ address: String) {
        text(Link.isLocal(address) ? address : Link.safe(address, in: "href"))
    }
}

extension HTML {
    /// Appends a value inside a link's query, percent-encoded.
    mutating func query(_ value: String) {
        // Identifiers need no encoding; they are most of what goes through here.
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
