import AsyncHTTPClient
import AviaryDomain
import NIOCore
import NIOHTTP1
import Synchronization

/// What a browser does for a person: keeps cookies, follows nothing by itself.
final class Browser: Sendable {
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    let address: String
    private let jar = Mutex<[String: String]>([:])

    init(_ server: Server) {
        address = server.address
    }

    /// Another browser at the same server, without any cookies.
    init(beside other: Browser) {
        address = other.address
    }

    /// The cookies it holds, by name.
    var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    var draftCookies: [String: String] { cookies.filter { $0.key.hasPrefix("d-") } }

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
        var request = HTTPClientRequest(url: address + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let cookies = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !cookies.isEmpty, headers["Cookie"] == nil { request.headers.replaceOrAdd(name: "Cookie", value: cookies.joined(separator: "; ")) }
        if let body { request.body = .bytes(body) }
        let response = try await Self.client.execute(request, timeout: .seconds(30))
        let answer = Answer(
            status: Int(response.status.code), headers: response.headers,
            body: String(buffer: try await response.body.collect(upTo: 16 << 20))
        )
        remember(answer.setCookies)
        return answer
    }

    private func remember(_ cookies: [SetCookie]) {
        jar.withLock { jar in
            for cookie in cookies { jar[cookie.name] = cookie.isExpired ? nil : cookie.value }
        }
    }
}
