import Foundation

/// The encoding `application/x-www-form-urlencoded` of forms and query strings (WHATWG URL, section 5).
package enum FormEncoding {
    package struct Malformed: Error {}

    /// Decodes the fields in their order, including repeated names.
    ///
    /// - Throws: ``Malformed`` for an invalid percent escape, bytes that are not UTF-8, more fields or longer names
    ///   than any form has, and a long run of combining marks. Comparing or folding a text with such a run takes
    ///   quadratic time.
    package static func decode(_ bytes: some Collection<UInt8>) throws(Malformed) -> [FormField] {
        // Copy into an array: as a generic function over NIO's buffer, decoding took a tenth of the time to add a
        // record.
        let bytes = Array(bytes)
        var fields: [FormField] = []
        guard bytes.count(where: { $0 == UInt8(ascii: "&") }) < mostFields else { throw Malformed() }
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let separator = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try unescape(pair[..<separator])
            let value = separator == pair.endIndex ? "" : try unescape(pair[pair.index(after: separator)...])
            guard name.utf8.count <= longestName, !name.hasLongMarkRun, !value.hasLongMarkRun else { throw Malformed() }
            fields.append(FormField(name: name, value: value))
        }
        return fields
    }

    /// The greatest length of a name, in bytes. No property has a longer name.
    private static let longestName = 300
    private static let mostFields = 10_000

    package static func encode(_ fields: [FormField]) -> String {
        fields.map { escape($0.name) + "=" + escape($0.value) }.joined(separator: "&")
    }

    package static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): output.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(value), let low = iterator.next().flatMap(value) else {
                    throw Malformed()
                }
                output.append(high << 4 | low)
            default: output.append(byte)
            }
        }
        guard let text = String(validating: output, as: UTF8.self) else { throw Malformed() }
        return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [FormField] {
    /// Returns the last value with this name. A checkbox follows a hidden field `false`, and the last value wins.
    package func value(_ name: String) -> String? {
        last { $0.name.hasSameBytes(as: name) }?.value
    }

    package func values(_ name: String) -> [String] {
        filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }
}

extension [FormField] {
    /// The first name in a query that is repeated although only one of its values can apply.
    ///
    /// Ids, and the values of one filter, may be repeated.
    package var repeatedName: String? {
        var names: Set<[UInt8]> = []
        return first { !$0.isOneOfSeveral && !names.insert([UInt8]($0.name.utf8)).inserted }?.name
    }
}

extension FormField {
    fileprivate var isOneOfSeveral: Bool {
        guard name.hasPrefix("filter.") else { return name == "id" }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 2, let last = parts.last else { return true }
        return !last.elementsEqual("from".utf8) && !last.elementsEqual("to".utf8)
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = Array(Data(bytes).base64EncodedString().utf8)
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that were passed to ``encode(_:)``; nil for any other text.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var base64: [UInt8] = []
        base64.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                base64.append(byte)
            default: return nil
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(base64)) else { return nil }
        let bytes = [UInt8](data)
        // Several texts decode to the same bytes when the last character has unused bits. Accept only the canonical
        // text.
        return encode(bytes) == text ? bytes : nil
    }
}
