import Foundation
import NIOHTTP1

/// An answer of the server.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    /// The body as it was sent, for reading ids and tokens.
    let source: String

    /// The body for finding words. Ids and tokens are random and may contain any short text, so they are masked.
    var body: String { Markup.masked(source) }

    var location: String? { header("Location").first }
    var contentType: String? { header("Content-Type").first }
    var setCookies: [SetCookie] { header("Set-Cookie").map(SetCookie.init) }

    /// Returns all values of the header.
    func header(_ name: String) -> [String] { headers[name] }

    /// The token that the page gives to its forms.
    var csrf: String? { source.firstMatch(of: /<meta name="csrf-token" content="([^"]+)">/).map { String($0.1) } }

    /// The number of records in the list.
    var rows: Int { source.matches(of: /aria-label="Delete [^"]*"/).count }

    /// Returns how often a record of this name is in the list.
    func rows(named name: String) -> Int {
        source.matches(of: /aria-label="Delete ([^"]*)"/).count { Markup.unescaped($0.1) == name }
    }

    /// Returns the link to the record of this name.
    func address(of name: String) -> String? {
        source.matches(of: /<th scope="row"><a href="([^"?]+)[^"]*">(?:<bdi>)?([^<]*)/)
            .first { Markup.unescaped($0.2) == name }.map { String($0.1) }
    }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(source.utf8))
    }
}

/// A `Set-Cookie` header.
struct SetCookie: Sendable {
    let name: String
    let value: String
    let attributes: Set<String>
    let size: Int

    init(_ header: String) {
        let parts = header.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = pair.first.map(String.init) ?? ""
        value = pair.count > 1 ? String(pair[1]) : ""
        attributes = Set(parts.dropFirst())
        size = name.utf8.count + value.utf8.count
    }

    var isExpired: Bool { attributes.contains("Max-Age=0") }
}

enum Markup {
    /// Returns the text with `…` in place of each UUID, token and long hexadecimal number.
    static func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var masked: [UInt8] = []
        // The end of the text that was copied, and the start of the characters that may belong to a token.
        var copied = 0, start = 0
        for index in 0...bytes.count {
            if index < bytes.count, isOfToken[Int(bytes[index])] { continue }
            if isRandom(bytes[start..<index]) {
                masked += bytes[copied..<start] + Array("…".utf8)
                copied = index
            }
            start = index + 1
        }
        return String(decoding: masked + bytes[copied...], as: UTF8.self)
    }

    /// A table by byte that says whether the byte may be part of a UUID or of URL-safe Base64.
    ///
    /// It is a table because pages are long.
    private static let isOfToken: [Bool] = {
        let alphabet = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)
        return (0...255).map { alphabet.contains($0) }
    }()

    /// Returns whether a run of characters is long and consists of digits and letters. No word does.
    private static func isRandom(_ run: ArraySlice<UInt8>) -> Bool {
        guard run.count >= 16 else { return false }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isHexadecimal = run.allSatisfy {
            isDigit($0) || $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return (isHexadecimal || run.count >= 32) && run.contains(where: isDigit)
            && run.contains { !isDigit($0) && $0 != UInt8(ascii: "-") }
    }

    /// Returns the text that an attribute or element shows.
    static func unescaped(_ text: some StringProtocol) -> String {
        text.replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&#13;", with: "\r").replacingOccurrences(of: "&amp;", with: "&")
    }
}
