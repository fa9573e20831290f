import AsyncHTTPClient
import AviaryDomain
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

/// What a browser does for a person: keeps cookies, follows nothing by itself. Its first request is made signed in, unless
/// it is a stranger's.
final class Browser: Sendable {
    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // A test that sends many forms at a time means it.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    let address: String
    private let signIn: SignIn?
    /// How long an answer is waited for.
    private let patience: Duration
    private let jar = Mutex<[String: String]>([:])

    init(_ server: Server, isStranger: Bool = false, patience: Duration = Patience.bound) {
        self.patience = patience
        address = server.address
        signIn = isStranger ? nil : SignIn(data: server.directory.data, cookieName: "session-\(server.port)")
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
        var request = HTTPClientRequest(url: address + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let cookies = cookies
        if !cookies.isEmpty { request.headers.replaceOrAdd(name: "Cookie", value: cookies) }
        if let body { request.body = .bytes(body) }
        let response = try await Self.client.execute(request, timeout: TimeAmount(patience))
        let answer = Answer(
            status: Int(response.status.code), headers: response.headers,
            source: String(buffer: try await response.body.collect(upTo: 16 << 20))
        )
        jar.withLock { jar in
            for cookie in answer.setCookies { jar[cookie.name] = cookie.isExpired ? nil : cookie.value }
        }
        return answer
    }
}
