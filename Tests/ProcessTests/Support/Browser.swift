import AviaryDomain
import AviaryLoad
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// A browser of a person.
///
/// It keeps cookies and follows no redirects by itself. Before its first request it signs in, unless it is a
/// stranger's.
final class Browser: Sendable {
    // Some tests send many forms at the same time.
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

    /// The `Cookie` header that it sends.
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

// The actions of a person in the admin, in one call each.
extension Browser {
    /// Returns the filled-in form of a new animal, not yet sent.
    func newAnimal(_ name: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/animals/new?fresh=1")).with("name", name).with("diet", "herbivorous")
    }

    /// Stores an animal and returns its id.
    @discardableResult
    func addAnimal(_ name: String) async throws -> String {
        let form = try await newAnimal(name)
        try await eventually("the store answered in time") {
            let begun = ContinuousClock.now
            let answer = try await post("/admin/animals", form)
            // On a busy machine, a form may wait for the store in vain. An exploring run has a quiet one.
            let isLate = .now - begun >= FailingStores.StoppedStoreTests.deadline
            if answer.status == 503, isLate, !Explore.isOn { return false }
            try #require(answer.status == 303, "\(answer.status)")
            return true
        }
        return try #require(form["id"])
    }

    func rows(named name: String) async throws -> Int {
        try await get("/admin/animals?size=200").rows(named: name)
    }

    /// Sends a request on a connection of its own, which any of the workers may accept.
    func getAlone(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers: headers.merging(["Connection": "close"]) { given, _ in given }, body: nil)
    }

    /// Returns a token for a form of this session.
    func token() async throws -> String {
        try #require(try await get("/admin").csrf)
    }

    /// Keeps a draft as the script does.
    func keep(_ form: Form) async throws -> Answer {
        try await post("/admin/animals/draft", form, headers: ["X-Requested-With": "fetch"])
    }

    /// Uploads the file to be imported.
    func bring(_ text: String, to model: String) async throws -> Answer {
        let boundary = "----import", token = try await token()
        func part(_ name: String, _ text: String) -> String {
            "--\(boundary)\r\nContent-Disposition: form-data; \(name)\r\n\r\n\(text)\r\n"
        }
        let body =
            part("name=\"csrf\"", token) + part("name=\"file\"; filename=\"a.csv\"", text) + "--\(boundary)--\r\n"
        return try await send(
            "POST", "/admin/\(model)/import", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(string: body))
    }

    /// Returns the answer of any worker. If a worker was killed with the connection, the request is sent again.
    func getThroughKills(_ path: String) async throws -> Answer {
        var answer: Answer?
        try await eventually("\(path) was answered with 200") {
            answer = try? await get(path)  // without an answer, it is retried
            return answer?.status == 200
        }
        return try #require(answer)
    }

    /// Sends a form until the answer is a redirect, like a person whose browser lost the connection.
    func postThroughKills(_ path: String, _ form: Form) async throws {
        try await eventually("\(path) was acknowledged") {
            (try? await post(path, form))?.status == 303  // without an answer, it is retried
        }
    }
}

extension Form {
    /// Returns the same form for another record, as if its sheet had been opened separately.
    func another(named name: String) -> Form {
        with("name", name).with("id", UUID().uuidString.lowercased()).with("draft", UUID().uuidString.lowercased())
    }
}
