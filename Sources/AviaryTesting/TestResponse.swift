import AviaryDomain
import AviaryLoad
public import Foundation
package import NIOHTTP1

/// A response of a served application.
public struct TestResponse: Sendable {
    /// A record in the list that a page shows.
    public struct ListRow: Sendable, Hashable {
        /// The title of the record, which is the text of its first column.
        public let title: String
        /// The path of the record's sheet.
        public let path: String
    }

    /// The path of the request, with its query.
    public let path: String
    /// The HTTP status code.
    public let status: Int
    /// The body as text.
    public let body: String
    /// The header fields.
    package let fields: HTTPHeaders

    package init(path: String, status: Int, fields: HTTPHeaders, body: String) {
        self.path = path
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The target of a redirect; nil for a response that is not one.
    public var location: String? { header("Location") }

    /// The token that the page gives to its forms; nil for a page without one. Forms send it in the field `csrf`.
    public var csrfToken: String? {
        body.firstMatch(of: /<meta name="csrf-token" content="([^"]+)">/).map { String($0.1) }
    }

    /// The records in the list that the page shows, in its order; empty for a page without a list.
    public var rows: [ListRow] {
        body.matches(of: /<th scope="row"><a href="([^"?]+)[^"]*"[^>]*>(.*?)<\/a>/).map { match in
            ListRow(
                title: HTMLEntities.unescaped(match.2.replacing(/<[^>]*>/, with: "")),
                path: HTMLEntities.unescaped(match.1))
        }
    }

    /// Returns the first value of a header field, or nil for a missing one.
    ///
    /// - Parameter name: The name of the field, in capital or small letters.
    /// - Returns: The value.
    public func header(_ name: String) -> String? { fields.first(name: name) }

    /// Decodes the body as JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; one with the standard settings by default.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(body.utf8))
    }

    /// Returns the form of the sheet that adds or edits a record, with the values that the page shows.
    ///
    /// ```swift
    /// var sheet = try await browser.get("/admin/animals/new").sheet()
    /// sheet["name"] = "Okapi"
    /// ```
    ///
    /// - Returns: The form, for ``TestBrowser/submit(_:)``.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noForm``.
    public func sheet() throws(TestApplicationError) -> TestForm {
        try form("a sheet") { $0.id == "sheet-form" }
    }

    /// Returns the form that is sent to an address.
    ///
    /// - Parameter action: The path that the form is sent to, as the page has it.
    /// - Returns: The form, for ``TestBrowser/submit(_:)``.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noForm``.
    public func form(action: String) throws(TestApplicationError) -> TestForm {
        try form("a form for \(action)") { $0.action == action }
    }

    private func form(_ wanted: String, where matches: (Form) -> Bool) throws(TestApplicationError) -> TestForm {
        guard let form = FormReader.forms(in: Array(body.utf8)).first(where: matches) else {
            throw TestApplicationError(.noForm, "The page \(path), with status \(status), does not have \(wanted).")
        }
        return TestForm(
            action: form.action.isEmpty ? path : form.action, fields: form.fields.map { ($0.name, $0.value) })
    }
}

/// A decoder for the text of pages.
package enum HTMLEntities {
    /// Returns the text that an attribute or element shows.
    package static func unescaped(_ text: some StringProtocol) -> String {
        text.replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&#39;", with: "'")
            .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&#13;", with: "\r").replacingOccurrences(of: "&amp;", with: "&")
    }
}

/// A form with the values of its fields, as a person fills it in.
///
/// ```swift
/// var sheet = try await browser.get("/admin/animals/new").sheet()
/// sheet["name"] = "Okapi"
/// let response = try await browser.submit(sheet)
/// ```
public struct TestForm: Sendable {
    /// The address that the form is sent to; empty for a form that was not read from a page.
    public let action: String

    private var fields: [FormField]

    /// Creates a form from names and values. A name can occur several times.
    ///
    /// - Parameter fields: The fields in the order in which they are sent.
    public init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.init(action: "", fields: fields.map { ($0.key, $0.value) })
    }

    init(action: String, fields: [(name: String, value: String)]) {
        self.action = action
        self.fields = fields.map { FormField(name: $0.name, value: $0.value) }
    }

    /// The value of a field; nil when the form does not send it, such as a box that is not ticked.
    ///
    /// Setting a value removes all other values of the field. Setting nil removes the field.
    ///
    /// - Parameter name: The name of the field, which is the name of the property in a sheet.
    public subscript(name: String) -> String? {
        get { fields.value(name) }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a value, and keeps the other values of the field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(FormField(name: name, value: value))
    }

    /// Returns all values of a field, in the order in which the form sends them.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The values.
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The form in the encoding of a request's body.
    var encoded: String { FormEncoding.encode(fields) }
}
