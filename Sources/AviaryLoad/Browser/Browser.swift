import NIOCore
import NIOHTTP1

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
