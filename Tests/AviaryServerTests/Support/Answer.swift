import Foundation
import NIOHTTP1

/// An answer of the server, as a test looks at it.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    /// What was sent, byte for byte.
    ///
    /// For what reads it as a machine does, for a test that looks for an id that it knows, and for one that makes sure that
    /// a secret is nowhere in it.
    let source: String

    /// What was sent, with a fixed text for every id and every token.
    ///
    /// A test that looks for words in a page looks here: in a random id it would now and then find letters by chance.
    var body: String { Mask.applied(to: source) }

    var location: String? { header("Location").first }
    var contentType: String? { header("Content-Type").first }
    var setCookies: [SetCookie] { header("Set-Cookie").map(SetCookie.init) }

    /// Whether it leads to the list at the address, with the news that the record was saved.
    func isAt(_ list: String, saved record: String?) -> Bool {
        let news = (location ?? "").split(separator: list.contains("?") ? "&did=" : "?did=", maxSplits: 1).map(
            String.init)
        guard news.count == 2, news[0] == list, let record else { return false }
        return news[1].wholeMatch(of: /[1-9][0-9]*&saved=(.+)/).map { String($0.1) } == record
    }

    /// All values of the header.
    func header(_ name: String) -> [String] { headers[name] }

    /// The token that the page gives to its forms.
    var csrf: String? { source.firstMatch(of: /<meta name="csrf-token" content="([^"]+)">/).map { String($0.1) } }

    /// How often a record of this name stands in the list.
    func rows(named name: String) -> Int {
        source.matches(of: /aria-label="Delete ([^"]*)"/).count { Markup.unescaped($0.1) == name }
    }

    /// The link to the record of this name.
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

/// Takes what is random out of a page: record and change-set ids, tokens, sealed values, secrets, versions of assets.
private enum Mask {
    private static let random: NSRegularExpression = {
        let before = [
            #"name="(?:csrf|sealed|cookie|ticket|secret|link|\.tab)" value=""#, #"name="csrf-token" content=""#,
            #"data-copy=""#, "[?;&]link=", "/assets/", "secret=", "<code[^>]*>(?=[A-Z2-7 -]{19,}<)",
        ]
        let id = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
        do {
            return try NSRegularExpression(pattern: "(\(before.joined(separator: "|")))[A-Za-z0-9_ -]+|\(id)")
        } catch {
            fatalError("\(error)")
        }
    }()

    static func applied(to text: String) -> String {
        let all = NSRange(location: 0, length: (text as NSString).length)
        return random.stringByReplacingMatches(in: text, range: all, withTemplate: "$1{random}")
    }
}

enum Markup {
    /// The text that an attribute or element shows.
    static func unescaped(_ text: some StringProtocol) -> String {
        text.replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&#13;", with: "\r").replacingOccurrences(of: "&amp;", with: "&")
    }
}
