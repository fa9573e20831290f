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
        guard let form = forms(where: { $0.id == "sheet-form" }).first else { throw missing("a sheet") }
        return form
    }

    /// Returns the form that is sent to an address.
    ///
    /// ```swift
    /// var form = try await browser.get("/schedule").form(action: "/schedule", method: .post)
    /// ```
    ///
    /// - Parameters:
    ///   - action: The path that the form is sent to, as the page has it.
    ///   - method: The method with which the form is sent; nil for any.
    /// - Returns: The form, for ``TestBrowser/submit(_:)``. A form that the page repeats without a difference is one.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noForm``, or
    ///   ``TestApplicationError/Code/severalForms`` when different forms are sent to the address.
    public func form(
        action: String, method: TestForm.Method? = nil
    ) throws(TestApplicationError) -> TestForm {
        let found = forms(action: action, method: method)
        guard let form = found.first else {
            throw missing("a form for \(method.map { "\($0.rawValue) " } ?? "")\(action)")
        }
        guard found.allSatisfy({ $0 == form }) else {
            let advice =
                Set(found.map(\.method)).count > 1
                ? "Name the method: form(action:method:)." : "Choose one of forms(action:method:) by its fields."
            throw TestApplicationError(
                .severalForms, "The page \(path) has \(found.count) different forms for \(action). \(advice)")
        }
        return form
    }

    /// Returns all forms that are sent to an address, in the order of the page.
    ///
    /// ```swift
    /// let form = page.forms(action: "/schedule").first { $0["day"] == "2026-11-23" }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The path that the forms are sent to, as the page has it.
    ///   - method: The method with which the forms are sent; nil for any.
    /// - Returns: The forms, for ``TestBrowser/submit(_:)``; empty when there is none.
    public func forms(action: String, method: TestForm.Method? = nil) -> [TestForm] {
        forms { $0.action == action }.filter { method == nil || $0.method == method }
    }

    private func forms(where matches: (Form) -> Bool) -> [TestForm] {
        FormReader.forms(in: Array(body.utf8)).filter(matches).map { form in
            TestForm(
                action: form.action.isEmpty ? path : form.action, method: form.isPost ? .post : .get,
                fields: form.fields.map { ($0.name, $0.value) })
        }
    }

    private func missing(_ wanted: String) -> TestApplicationError {
        TestApplicationError(.noForm, "The page \(path), with status \(status), does not have \(wanted).")
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
