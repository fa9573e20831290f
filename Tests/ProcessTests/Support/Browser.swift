import AviaryDomain
import AviaryLoad
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

/// What a browser does for a person: keeps cookies, follows nothing by itself. Its first request is made signed in, unless
/// it is a stranger's.
final class Browser: Sendable {
    // A test that sends many forms at a time means it.
    private static let sharedClient = HTTPClient(
        maximumConnections: 256, patience: TimeAmount(Patience.bound), connectPatience: TimeAmount(Patience.bound))

    let address: String
    private let signIn: SignIn?
    private let client: HTTPClient
    private let jar = Mutex<[String: String]>([:])

    init(_ server: Server, isStranger: Bool = false, role: String? = nil, patience: Duration = Patience.bound) {
        client =
            patience == Patience.bound
            ? Self.sharedClient : HTTPClient(maximumConnections: 256, patience: TimeAmount(patience))
        address = server.address
        var signIn = SignIn(data: server.directory.data, cookieName: "session-\(server.port)")
        if let role { (signIn.name, signIn.role) = (role, role) }
        self.signIn = isStranger ? nil : signIn
    }

    /// What it sends as its `Cookie` header.
    var cookies: String {
        jar.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    func get(_ path: String) async throws -> Answer {
        try await send("GET", path, body: nil)
    }

    func post(_ path: String, _ form: Form, headers: [String: String] = [:]) async throws -> Answer {
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await send(
            "POST", path, headers: type.merging(headers) { _, given in given }, body: ByteBuffer(string: form.encoded))
    }

    func send(_ method: String, _ path: String, headers: [String: String] = [:], body: ByteBuffer?) async throws
        -> Answer
    {
        if let signIn, !jar.withLock({ $0.keys.contains(signIn.cookieName) }) {
            let cookie = try await signIn.cookie()
            jar.withLock { $0[signIn.cookieName] = cookie }
        }
        var request = HTTPClient.Request(url: address + path, method: HTTPMethod(rawValue: method), body: body)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let cookies = cookies
        if !cookies.isEmpty { request.headers.replaceOrAdd(name: "Cookie", value: cookies) }
        let response = try await client.send(request)
        let answer = Answer(
            status: Int(response.status.code), headers: response.headers, source: String(buffer: response.body)
        )
        jar.withLock { jar in
            for cookie in answer.setCookies { jar[cookie.name] = cookie.isExpired ? nil : cookie.value }
        }
        return answer
    }
}
