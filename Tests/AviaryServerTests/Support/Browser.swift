import AviaryDomain
import AviaryLoad
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

/// What a browser does for a person: keeps cookies, follows nothing by itself. Its first request is made signed in, unless
/// nobody is.
final class Browser: Sendable {
    private static let count = Atomic<UInt32>(0)

    /// Connects from a loopback address of its own: the server counts failures to sign in by address, those of tests that run
    /// at the same time, too.
    private let client: HTTPClient
    let address: String
    /// Nil for somebody who has no account.
    let signIn: SignIn?
    private let jar = Mutex<[String: String]>([:])

    /// - Parameters:
    ///   - name: Of the account; it is made when there is none.
    ///   - role: Of an account that is made.
    ///   - origin: The IP address from which it connects; nil for one that no other browser has.
    init(_ server: Server, as name: String = "local", role: String = "admin", from origin: String? = nil) {
        client = Self.client(from: origin)
        address = server.address
        signIn = SignIn(data: server.data, cookieName: server.sessionCookie, name: name, role: role)
    }

    /// Another browser of the same person, in a session of its own and without any drafts.
    init(beside other: Browser) {
        client = Self.client()
        address = other.address
        signIn = other.signIn
    }

    /// Of somebody who is not signed in.
    init(strangerAt server: Server) {
        client = Self.client()
        address = server.address
        signIn = nil
    }

    /// The cookies it holds, by name.
    var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    var draftCookies: [String: String] { cookies.filter { $0.key.hasPrefix("d-") } }

    /// The header field with its cookies, for a request that is written by hand.
    var cookieField: String {
        get async throws {
            _ = try await get("/admin")
            return "Cookie: "
                + cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers: headers, body: nil)
    }

    func post(_ path: String, _ form: Form, headers: [String: String] = [:]) async throws -> Answer {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await post(path, body: form.encoded, headers: type.merging(headers) { _, given in given })
    }

    func post(_ path: String, body: String, headers: [String: String]) async throws -> Answer {
        try await send("POST", path, headers: headers, body: ByteBuffer(string: body))
    }

    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: ByteBuffer? = nil
    ) async throws -> Answer {
        if let signIn, cookies[signIn.cookieName] == nil { cookies[signIn.cookieName] = try await signIn.cookie() }
        var request = HTTPClient.Request(url: address + path, method: HTTPMethod(rawValue: method), body: body)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let cookies = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !cookies.isEmpty, headers["Cookie"] == nil {
            request.headers.replaceOrAdd(name: "Cookie", value: cookies.joined(separator: "; "))
        }
        let response = try await client.send(request)
        let answer = Answer(
            status: Int(response.status.code), headers: response.headers, source: String(buffer: response.body)
        )
        remember(answer.setCookies)
        return answer
    }

    private static func client(from origin: String? = nil) -> HTTPClient {
        HTTPClient(
            maximumConnections: 256, patience: TimeAmount(Patience.bound), connectPatience: TimeAmount(Patience.bound),
            localAddress: origin ?? nextAddress())
    }

    /// Returns 127.1.0.1, 127.1.0.2 and further ones.
    private static func nextAddress() -> String {
        let number = count.add(1, ordering: .relaxed).newValue % (250 * 250 * 250)
        return "127.\(1 + number / 62_500).\(number / 250 % 250).\(1 + number % 250)"
    }

    private func remember(_ cookies: [SetCookie]) {
        jar.withLock { jar in
            for cookie in cookies { jar[cookie.name] = cookie.isExpired ? nil : cookie.value }
        }
    }
}
