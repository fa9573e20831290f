import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One person's browser: sends requests one after the other, keeps cookies, and times every answer.
struct Browser: Sendable {
    let client: HTTPClient
    /// Scheme, host and port.
    let origin: String
    /// Another when what counts begins after a warm-up.
    var recorder: Recorder
    private(set) var cookies: CookieJar
    /// When the next request was due, which may be long ago; nil for one that follows from the answer before.
    var due: ContinuousClock.Instant?

    init(client: HTTPClient, origin: String, recorder: Recorder, cookies: CookieJar = CookieJar()) {
        self.cookies = cookies
        self.client = client
        self.origin = origin
        self.recorder = recorder
    }

    mutating func get(_ path: String, as operation: Operation) async throws(NoAnswer) -> Answer {
        try await send(HTTPClient.Request(url: origin + path), as: operation)
    }

    /// - Parameter script: sent by a script of the page, not by a button.
    mutating func post(
        _ fields: [FormField], to path: String, as operation: Operation, script: Bool = false
    ) async throws(NoAnswer) -> Answer {
        var request = HTTPClient.Request(url: origin + path, method: .POST)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if script { request.headers.add(name: "X-Requested-With", value: "fetch") }
        request.body = ByteBuffer(bytes: FormEncoding.encode(fields))
        return try await send(request, as: operation)
    }

    private mutating func send(
        _ request: HTTPClient.Request, as operation: Operation
    ) async throws(NoAnswer) -> Answer {
        var request = request
        request.headers.add(name: "Accept", value: "text/html")
        // Some answers are told apart by their words.
        request.headers.add(name: "Accept-Language", value: "en")
        if let cookie = cookies.header { request.headers.add(name: "Cookie", value: cookie) }
        let start = due ?? ContinuousClock.now
        due = nil
        do {
            let response = try await client.send(request)
            recorder.record(operation, .now - start)
            let answer = Answer(
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
            let failure = NoAnswer(error)
            recorder.countAnswer(to: operation, error: failure.kind)
            throw failure
        }
    }
}

/// What a server answered.
struct Answer: Sendable {
    let status: Int
    var location: String?
    var cookies: [String] = []
    var body: [UInt8] = []

    /// Another moment may bring another answer. A refusal is none of these: with it the server did its part.
    var isAway: Bool { status >= 500 || status == 429 }

    /// It leads to the form for signing in, and what was asked was not done.
    var asksForSignIn: Bool {
        status == 401 || status == 303 && location?.hasPrefix(SignIn.path) == true
    }

    /// The answer promises that the request had no effect.
    ///
    /// Only a 503 is believed, and held to it: a record that is there all the same is an orphan.
    var saysNothingChanged: Bool {
        status == 503
            && Self.promises.contains { promise in
                body.firstRange(of: promise.utf8) != nil
            }
    }

    /// What it says about the write that was asked for.
    var outcome: WriteOutcome {
        switch status {
        // The session was ended: nothing was stored.
        case _ where asksForSignIn: .refused
        case 303: .acknowledged
        case 400..<500: .refused
        default: saysNothingChanged ? .refused : .unknown
        }
    }

    private static let promises = ["Nothing was changed", "Not saved"]
}

/// No answer came, or not all of it. Whether the request was executed is not known.
struct NoAnswer: Error, Sendable, CustomStringConvertible {
    /// As errors are counted: few, and without what differs from one to the next.
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

/// The cookies of one browser and one server.
struct CookieJar: Sendable, Codable {
    private var values: [String: String] = [:]

    /// Takes in one `Set-Cookie` header. Of its attributes only those count that end a cookie.
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

    /// What a request carries; nil when there are none.
    var header: String? {
        values.isEmpty ? nil : values.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
}

/// A connection for each of those who act at a time, kept from the warm-up to the end.
struct Connections: Sendable {
    private let clients: [HTTPClient]
    /// The client that signs in. A server hashes a password for a good part of a second, and for several in a debug build
    /// on a busy machine.
    let entrance = HTTPClient(maximumConnections: 1, patience: .seconds(60))

    init(count: Int) {
        clients = (0..<max(1, count)).map { _ in HTTPClient(maximumConnections: 1) }
    }

    /// The client for requests beside the load.
    var first: HTTPClient { self[0] }

    /// - Parameter person: from 0.
    subscript(person: Int) -> HTTPClient { clients[person % clients.count] }

    func shutdown() async {
        await entrance.shutdown()
        for client in clients { await client.shutdown() }
    }
}

/// A name and a value of a form.
struct FormField: Sendable, Hashable {
    let name: String
    var value: String
}

/// `application/x-www-form-urlencoded`, as browsers write it.
enum FormEncoding {
    static func encode(_ fields: [FormField]) -> [UInt8] {
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
