import AviaryTesting
import Foundation
import NIOHTTP1

/// An answer of the server: the response that users' tests see, with what only these tests look for.
struct Answer: Sendable {
    private let response: TestResponse

    init(_ response: TestResponse) { self.response = response }

    var status: Int { response.status }
    var headers: HTTPHeaders { response.fields }
    /// The body as it was sent, byte for byte.
    ///
    /// It is for code that parses the body, for a test that looks for a known id, and for one that checks that a
    /// secret does not occur in it.
    var source: String { response.body }

    /// The body with a fixed text in place of every id and every token.
    ///
    /// Tests look for words here, because a random id would sometimes contain them by chance.
    var body: String { Mask.applied(to: source) }

    var location: String? { response.location }
    var contentType: String? { header("Content-Type").first }
    var setCookies: [SetCookie] { header("Set-Cookie").map(SetCookie.init) }

    /// Returns whether the answer leads to the list at the address, with the message that the record was saved.
    func isAt(_ list: String, saved record: String?) -> Bool {
        let news = (location ?? "").split(separator: list.contains("?") ? "&did=" : "?did=", maxSplits: 1).map(
            String.init)
        guard news.count == 2, news[0] == list, let record else { return false }
        return news[1].wholeMatch(of: /[1-9][0-9]*&saved=(.+)/).map { String($0.1) } == record
    }

    /// Returns all values of the header.
    func header(_ name: String) -> [String] { headers[name] }

    /// The token that the page gives to its forms.
    var csrf: String? { response.csrfToken }

    /// Returns how often a record of this name is in the list.
    func rows(named name: String) -> Int {
        source.matches(of: /aria-label="Delete ([^"]*)"/).count { Markup.unescaped($0.1) == name }
    }

    /// Returns the link to the record of this name.
    func address(of name: String) -> String? {
        response.rows.first { $0.title == name }?.path
    }

    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try response.json(type)
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

/// A mask for the random parts of a page: ids of records and change sets, tokens, sealed values, secrets, and
/// versions of assets.
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
    /// Returns the text that an attribute or element shows.
    static func unescaped(_ text: some StringProtocol) -> String {
        HTMLEntities.unescaped(text)
    }
}
