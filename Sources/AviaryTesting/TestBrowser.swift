import AviaryLoad
import Foundation
package import NIOCore
import NIOHTTP1
import Synchronization

/// A browser without a window: it keeps cookies and sends the forms that it reads from pages.
///
/// ```swift
/// let browser = try await application.signedIn(as: "ada", role: .editor)
/// let list = try await browser.get("/admin/animals")
/// ```
///
/// It follows no redirects, runs no scripts and loads no pictures. Each browser connects from a loopback address of its
/// own, because the server counts failed sign-in attempts by address. Several tasks can use one browser at the same time.
public final class TestBrowser: Sendable {
    private static let count = Atomic<UInt32>(0)
    private static let formType = "application/x-www-form-urlencoded"

    private let client: HTTPClient
    private let address: String
    private let jar = Mutex<[String: String]>([:])

    /// Creates a browser for a server.
    ///
    /// - Parameters:
    ///   - address: The scheme, host and port of the server.
    ///   - origin: The IP address from which the browser connects; nil for one that no other browser has.
    ///   - patience: The time-out for a server that sends nothing.
    package init(address: String, origin: String? = nil, patience: Duration = .seconds(180)) {
        self.address = address
        client = HTTPClient(
            maximumConnections: 256, patience: TimeAmount(patience), connectPatience: TimeAmount(patience),
            localAddress: origin ?? Self.nextAddress())
    }

    /// The values of the cookies by name.
    public var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    /// Requests a page.
    ///
    /// ```swift
    /// #expect(try await browser.get("/admin/animals?q=okapi").status == 200)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path with its query.
    ///   - headers: Further header fields.
    /// - Returns: The response, whatever its status is.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noAnswer``.
    public func get(
        _ path: String, headers: [String: String] = [:]
    ) async throws(TestApplicationError) -> TestResponse {
        try await send("GET", path, headers: headers)
    }

    /// Sends a form to a path.
    ///
    /// ```swift
    /// let form = TestForm(["csrf": try await browser.csrfToken(), "animal": "Okapi"])
    /// let response = try await browser.post("/feedings", form)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path with its query.
    ///   - form: The fields of the form. The server accepts a form only with the field `csrf` (``csrfToken()``), which
    ///     a form that was read from a page has.
    ///   - headers: Further header fields.
    /// - Returns: The response. A form that was accepted is usually answered with status 303 and a ``TestResponse/location``.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noAnswer``.
    public func post(
        _ path: String, _ form: TestForm, headers: [String: String] = [:]
    ) async throws(TestApplicationError) -> TestResponse {
        let headers = ["Content-Type": Self.formType].merging(headers) { _, given in given }
        return try await send("POST", path, headers: headers, body: form.encoded)
    }

    /// Sends a form to the address that its page gives it, by the method of the form, as its button does.
    ///
    /// ```swift
    /// var sheet = try await browser.get("/admin/animals/new").sheet()
    /// sheet["name"] = "Okapi"
    /// let response = try await browser.submit(sheet)
    /// ```
    ///
    /// - Parameter form: A form that was read from a page.
    /// - Returns: The response.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noAnswer``.
    public func submit(_ form: TestForm) async throws(TestApplicationError) -> TestResponse {
        switch form.method {
        case .get: try await get(form.pathWithQuery)
        case .post: try await post(form.action, form)
        }
    }

    /// Sends a request with any method and body.
    ///
    /// ```swift
    /// let response = try await browser.send(
    ///     "PUT", "/menu/1", headers: ["Content-Type": "application/json"], body: #"{"name": "Okapi"}"#)
    /// ```
    ///
    /// - Parameters:
    ///   - method: The HTTP method, in capital letters.
    ///   - path: The path with its query.
    ///   - headers: Further header fields. A field `Cookie` replaces the browser's cookies.
    ///   - body: The body; nil for none.
    /// - Returns: The response, whatever its status is.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noAnswer``.
    public func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil
    ) async throws(TestApplicationError) -> TestResponse {
        do {
            return try await exchange(method, path, headers: headers, body: body.map { ByteBuffer(string: $0) })
        } catch {
            throw TestApplicationError(.noAnswer, "\(method) \(path) was not answered: \(error)")
        }
    }

    /// Sends a request and keeps the cookies of its response.
    ///
    /// - Throws: The client's error, as it is.
    package func exchange(
        _ method: String, _ path: String, headers: [String: String], body: ByteBuffer?
    ) async throws -> TestResponse {
        var request = HTTPClient.Request(url: address + path, method: HTTPMethod(rawValue: method), body: body)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let cookies = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !cookies.isEmpty, !request.headers.contains(name: "Cookie") {
            request.headers.add(name: "Cookie", value: cookies.joined(separator: "; "))
        }
        let response = try await client.send(request)
        remember(response.headers["Set-Cookie"])
        return TestResponse(
            path: path, status: Int(response.status.code), fields: response.headers, body: String(buffer: response.body)
        )
    }

    /// Requests the admin's overview and returns the token that the server expects in a form of this session.
    ///
    /// - Returns: The value of the field `csrf`.
    /// - Throws: ``TestApplicationError`` with the code ``TestApplicationError/Code/noAnswer``, or
    ///   ``TestApplicationError/Code/noForm`` when nobody is signed in.
    public func csrfToken() async throws(TestApplicationError) -> String {
        guard let token = try await get("/admin").csrfToken else {
            throw TestApplicationError(.noForm, "The overview has no token: nobody is signed in.")
        }
        return token
    }

    /// Keeps the cookies of `Set-Cookie` fields, and removes those that have expired.
    private func remember(_ fields: [String]) {
        jar.withLock { jar in
            for field in fields {
                let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
                guard let first = parts.first, let equals = first.firstIndex(of: "=") else { continue }
                let isExpired = parts.dropFirst().contains("Max-Age=0")
                jar[String(first[..<equals])] = isExpired ? nil : String(first[first.index(after: equals)...])
            }
        }
    }

    /// Returns 127.1.0.1, 127.1.0.2 and further ones.
    private static func nextAddress() -> String {
        let number = count.add(1, ordering: .relaxed).newValue % (250 * 250 * 250)
        return "127.\(1 + number / 62_500).\(number / 250 % 250).\(1 + number % 250)"
    }
}
