import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The browser of a virtual user: sends requests one after the other, keeps cookies, and measures the time of every
/// answer.
struct Browser: Sendable {
    let client: HTTPClient
    /// The scheme, host and port of the server.
    let origin: String
    /// The recorder of the measurements. After the warm-up, another recorder takes its place.
    var recorder: Recorder
    private(set) var cookies: CookieJar
    /// The moment at which the next request was due, which may be long ago; nil for a request that follows from the
    /// previous answer.
    var due: ContinuousClock.Instant?

    init(client: HTTPClient, origin: String, recorder: Recorder, cookies: CookieJar = CookieJar()) {
        self.cookies = cookies
        self.client = client
        self.origin = origin
        self.recorder = recorder
    }

    mutating func get(_ path: String, as operation: Operation) async throws(NoResponse) -> BrowserResponse {
        try await send(HTTPClient.Request(url: origin + path), as: operation)
    }

    /// Submits form fields.
    ///
    /// - Parameter script: Pass true for a request that a script of the page sends, not a button.
    mutating func post(
        _ fields: [URLEncodedField], to path: String, as operation: Operation, script: Bool = false
    ) async throws(NoResponse) -> BrowserResponse {
        var request = HTTPClient.Request(url: origin + path, method: .POST)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if script { request.headers.add(name: "X-Requested-With", value: "fetch") }
        request.body = ByteBuffer(bytes: URLEncodedForm.encode(fields))
        return try await send(request, as: operation)
    }

    private mutating func send(
        _ request: HTTPClient.Request, as operation: Operation
    ) async throws(NoResponse) -> BrowserResponse {
        var request = request
        request.headers.add(name: "Accept", value: "text/html")
        // The harness recognizes some answers by their English text.
        request.headers.add(name: "Accept-Language", value: "en")
        if let cookie = cookies.header { request.headers.add(name: "Cookie", value: cookie) }
        let start = due ?? ContinuousClock.now
        due = nil
        do {
            let response = try await client.send(request)
            recorder.record(operation, .now - start)
            let answer = BrowserResponse(
                status: Int(response.status.code), location: response.headers.first(name: "Location"),
                cookies: response.headers["Set-Cookie"],
                body: Array(response.body.readableBytesView)
            )
            for cookie in answer.cookies { cookies.store(cookie) }
            recorder.countAnswer(
                to: operation, error: answer.isAway ? "status \(answer.status)" : nil, bytes: answer.body.count)
            return answer
        } catch {
            recorder.record(operation, .now - start)
            let failure = NoResponse(error)
            recorder.countAnswer(to: operation, error: failure.kind)
            throw failure
        }
    }
}

/// The answer of a server to a request.
struct BrowserResponse: Sendable {
    let status: Int
    var location: String?
    var cookies: [String] = []
    var body: [UInt8] = []

    /// Indicates whether the server is unavailable or limits the rate, so that a retry may succeed.
    ///
    /// A rejection is none of these: the server has handled the request.
    var isAway: Bool { status >= 500 || status == 429 }

    /// Indicates whether the server, or the proxy in front of it, cannot handle requests at the moment.
    var isUnavailable: Bool { (502...504).contains(status) }

    /// Indicates whether the same request may succeed later. An error of the program itself is not explained by an outage.
    var maySucceedLater: Bool { isUnavailable || status == 429 }

    /// Indicates whether the answer leads to the sign-in form; the server has not executed the request.
    var asksForSignIn: Bool {
        status == 401 || status == 303 && location?.hasPrefix(SignIn.path) == true
    }

    /// Indicates whether the answer promises that the request had no effect.
    ///
    /// The harness believes this only of a 503, and checks it: a record that exists nevertheless is an orphan.
    var saysNothingChanged: Bool {
        status == 503
            && Self.promises.contains { promise in
                body.firstRange(of: promise.utf8) != nil
            }
    }

    /// The outcome of the requested write, according to the answer.
    var outcome: WriteOutcome {
        switch status {
        // The session has ended, so nothing was stored.
        case _ where asksForSignIn: .refused
        case 303: .acknowledged
        case 400..<500: .refused
        default: saysNothingChanged ? .refused : .unknown
        }
    }

    private static let promises = ["Nothing was changed", "Not saved"]
}

/// An error for an answer that is missing or incomplete.
///
/// It is unknown whether the server executed the request.
struct NoResponse: Error, Sendable, CustomStringConvertible {
    /// The kind under which the error is counted. There are few kinds, without the details that differ between
    /// errors.
    let kind: String
    let description: String

    init(_ error: any Error) {
        description = "\(error)"
        kind =
            switch error {
            case let error as HTTPClientError where error == .connectTimeout: "no connection"
            case let error as HTTPClientError where error == .readTimeout: "no answer in time"
            case let error as IOError where error.errnoCode == ECONNREFUSED: "no connection"
            case is NIOConnectionError: "no connection"
            case is CancellationError: "cancelled"
            default: "connection lost"
            }
    }
}

/// The cookies of one browser for one server.
struct CookieJar: Sendable, Codable {
    private var values: [String: String] = [:]

    /// Stores the cookie of a `Set-Cookie` header.
    ///
    /// The method reads one attribute only: a `Max-Age` of zero or less deletes the cookie.
    mutating func store(_ header: String) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
        let name = pair[..<equals].trimmingCharacters(in: .whitespaces)
        let isOver = parts.dropFirst().contains { attribute in
            let words = attribute.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard words.count == 2, words[0].lowercased() == "max-age", let age = Int(words[1]) else { return false }
            return age <= 0
        }
        values[name] = isOver ? nil : pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    }

    /// The value of the `Cookie` header of a request; nil when there are no cookies.
    var header: String? {
        values.isEmpty ? nil : values.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
}

/// The HTTP clients of the virtual users, one connection each, open from the warm-up to the end of the run.
struct Connections: Sendable {
    private let clients: [HTTPClient]
    /// The client that signs in.
    ///
    /// Its time-out is 60 seconds, because a server hashes a password for a good part of a second, and for several
    /// seconds in a debug build on a busy machine.
    let entrance = HTTPClient(maximumConnections: 1, patience: .seconds(60))

    init(count: Int) {
        clients = (0..<max(1, count)).map { _ in HTTPClient(maximumConnections: 1) }
    }

    /// The client for requests that are not part of the load.
    var first: HTTPClient { self[0] }

    /// Returns the client of a virtual user.
    ///
    /// - Parameter person: The index of the virtual user, from 0.
    subscript(person: Int) -> HTTPClient { clients[person % clients.count] }

    func shutdown() async {
        await entrance.shutdown()
        for client in clients { await client.shutdown() }
    }
}

/// The name and the value of a form field.
package struct URLEncodedField: Sendable, Hashable {
    package let name: String
    package var value: String
}

/// An encoder for `application/x-www-form-urlencoded`, with the output of browsers.
enum URLEncodedForm {
    static func encode(_ fields: [URLEncodedField]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(field.name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(field.value, to: &bytes)
        }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "*"):
                bytes.append(byte)
            case UInt8(ascii: " "):
                bytes.append(UInt8(ascii: "+"))
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 0xF)])
            }
        }
    }
}
