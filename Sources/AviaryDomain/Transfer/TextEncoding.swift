/// The encoding of a text file.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    /// The encoding of Western European Windows. Like browsers, it takes Latin-1 for this encoding, which has the same
    /// letters and more punctuation.
    case windows1252 = "windows-1252"

    /// Creates an encoding from one of its usual names, without regard to case; nil for an unknown name.
    package init?(named name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "utf-16", "utf16", "utf-16le", "utf-16be": self = .utf16
        case "windows-1252", "cp1252", "latin1", "latin-1", "iso-8859-1": self = .windows1252
        default: return nil
        }
    }

    /// Returns the encoding that a byte order mark at the beginning of a file names; nil without one.
    package init?(markedIn beginning: [UInt8]) {
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .utf8
        } else if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else {
            return nil
        }
    }
}

/// A converter of a text to UTF-8, part by part.
///
/// ```swift
/// var decoder = TextDecoder(.windows1252)
/// decoder.decode([0x63, 0x61, 0x66, 0xE9])  // "café" in UTF-8
/// ```
package struct TextDecoder {
    private let encoding: TextEncoding
    /// The bytes that the next part completes.
    private var rest: [UInt8] = []
    private var isBigEndian: Bool?

    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    /// Returns the next part as UTF-8; nil when the bytes are not a text in the encoding.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes. They may end within a character.
    ///   - isLast: A Boolean value that indicates whether no further part follows.
    package mutating func decode(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8]? {
        switch encoding {
        case .utf8: return bytes  // the reader checks it, and knows the line
        case .windows1252: return Self.decodeWindows1252(bytes)
        case .utf16: return decodeUTF16(bytes, isLast: isLast)
        }
    }

    private static func decodeWindows1252(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            switch byte {
            case ..<0x80: text.append(byte)
            case 0x80...0x9F: text += String(punctuation[Int(byte - 0x80)]).utf8
            default: text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
            }
        }
        return text
    }

    /// The characters from 0x80 to 0x9F. The five codes without a character stay control characters, as in browsers.
    private static let punctuation: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}",
        "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    private mutating func decodeUTF16(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
        var bytes = rest + bytes
        rest = []
        if isBigEndian == nil {
            guard bytes.count >= 2 else {
                guard isLast else {
                    rest = bytes
                    return []
                }
                return bytes.isEmpty ? [] : nil
            }
            let hasMark = TextEncoding(markedIn: bytes) == .utf16
            // Without a mark, the first character of a file of records is in ASCII, so that one of its bytes is zero.
            isBigEndian = hasMark ? bytes[0] == 0xFE : bytes[0] == 0
            if hasMark { bytes.removeFirst(2) }
        }
        let isBigEndian = isBigEndian == true
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? one << 8 | other : other << 8 | one)
        }
        if !bytes.count.isMultiple(of: 2) { rest = [bytes[bytes.count - 1]] }
        if let last = units.last, UTF16.isLeadSurrogate(last), !isLast {
            units.removeLast()
            rest = Array(bytes[(units.count * 2)...])
        }
        guard !isLast || rest.isEmpty, let text = String(validating: units, as: UTF16.self) else { return nil }
        return Array(text.utf8)
    }
}
