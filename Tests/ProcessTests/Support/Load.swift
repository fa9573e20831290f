import Foundation
import Synchronization
import TestSupport

/// Clients that read pages and, if they have a form, add records, each over connections of its own.
final class Load: Sendable {
    private struct Total {
        var answered = 0
        var clients: Set<Int> = []
        var failures: [String] = []
        var isStopped = false
    }

    /// A record to add: a blank form, with the cookies that belong to it.
    struct Addition: Sendable {
        let blank: Form
        let cookies: String

        init(_ browser: Browser) async throws {
            blank = try await browser.newAnimal("")
            cookies = browser.cookies
        }
    }

    /// The number of requests of a client of which one adds a record.
    private static let readsForAnAddition = 8

    let added = Names()
    private let addition: Addition?
    /// The cookies of a person who is signed in.
    private let cookies: String
    private let total = Mutex(Total())

    init(adding addition: Addition) {
        self.addition = addition
        cookies = addition.cookies
    }

    /// Creates clients that only read.
    init(reading browser: Browser) async throws {
        addition = nil
        _ = try await browser.get("/admin")
        cookies = browser.cookies
    }

    /// The number of requests that have been sent and are over, with an answer or without.
    var asked: Int { total.withLock { $0.answered + $0.failures.count } }
    var answered: Int { total.withLock(\.answered) }
    /// The number of clients that have received an answer.
    var answeredClients: Int { total.withLock(\.clients.count) }
    var failures: [String] { total.withLock(\.failures) }

    /// Runs the clients.
    ///
    /// - Parameters:
    ///   - isLast: Indicates whether a client that received `Connection: close` has no other server process to
    ///     use.
    ///   - continues: A function that is called with the number of answers after each answer. The load ends when it
    ///     returns `false`.
    func run(
        clients: Int, on server: Server, untilClosed isLast: Bool = false,
        while continues: @escaping @Sendable (Int) -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask { await onThread { self.ask(server.port, client, isLast, while: continues) } }
            }
        }
    }

    /// Runs the clients while the body runs.
    func run<Result: Sendable>(clients: Int, on server: Server, during body: () async throws -> Result) async throws
        -> Result
    {
        async let load: Void = run(clients: clients, on: server) { _ in !self.total.withLock(\.isStopped) }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        total.withLock { $0.isStopped = true }
        await load
        return try outcome.get()
    }

    private func ask(_ port: Int, _ client: Int, _ isLast: Bool, while continues: (Int) -> Bool) {
        var sender = LoadClient(port: port, cookies: cookies, isLast: isLast)
        for index in 1... {
            let isAddition = addition != nil && index.isMultiple(of: Self.readsForAnAddition)
            let form = isAddition ? addition?.blank.another(named: "Row \(client)-\(index)") : nil
            switch sender.send(form) {
            // The server has ended.
            case nil:
                if !isLast { total.withLock { $0.failures.append("refused") } }
                return
            case .answered(let status, let closes):
                if let form, status == 303 { added.add(form) }
                let answered = total.withLock { total in
                    total.answered += 1
                    total.clients.insert(client)
                    if status != (isAddition ? 303 : 200) {
                        total.failures.append("\(status) to \(isAddition ? "an addition" : "a read")")
                    }
                    return total.answered
                }
                if !continues(answered) || closes && isLast { return }
            case .failed(let reason, _):
                total.withLock { $0.failures.append("\(isAddition ? "an addition" : "a read"): \(reason)") }
                if !continues(answered) || isLast { return }
            }
        }
    }
}

/// A client of a load, with a connection that it keeps.
///
/// It repeats only what a server may refuse on a busy machine, so that failures are visible.
private struct LoadClient {
    /// The time after which a server that ends closes a connection without a request. A client that does not run for
    /// that long sends its next request too late.
    private static let linger: Duration = .seconds(1)

    private let port: Int
    private let cookies: String
    /// Indicates whether a server that closes a connection is ending, so that no other process accepts the next one.
    private let isLast: Bool
    private var connection: KeptConnection?

    init(port: Int, cookies: String, isLast: Bool) {
        self.port = port
        self.cookies = cookies
        self.isLast = isLast
    }

    /// Sends a form, or asks for the list; nil when the server has ended.
    ///
    /// A request is sent again if its addition waited for the store in vain, or if the request before it was sent so
    /// long ago that the server may have closed the connection as idle. With `AVIARY_EXPLORE=1`, nothing is repeated,
    /// because the machine is quiet then. After a failure, the next request gets a connection of its own, so that its
    /// result is independent.
    mutating func send(_ form: Form?) -> KeptConnection.Outcome? {
        let end = ContinuousClock.now + Patience.bound
        while true {
            guard let connection = connection ?? KeptConnection(port: port) else { return nil }
            self.connection = connection
            let last = connection.lastSending, begun = ContinuousClock.now
            let outcome =
                form.map { connection.post("/admin/animals", $0, cookies: cookies) }
                ?? connection.get("/admin/animals", cookies: cookies)
            let mayRepeat: Bool
            switch outcome {
            case .answered(let status, let closes):
                mayRepeat =
                    form != nil && status == 503 && .now - begun >= FailingStores.StoppedStoreTests.deadline
                if closes { self.connection = nil }
            case .failed(_, let received):
                // The moments are kept only when all of the request was sent.
                let sent = connection.lastSending.ended == last.ended ? .now : connection.lastSending.ended
                mayRepeat = received == 0 && sent - last.begun >= Self.linger
                self.connection = nil
                if mayRepeat, isLast { return nil }
            }
            guard mayRepeat, !Explore.isOn, .now < end else { return outcome }
        }
    }
}

/// The names of records by id, collected by several clients.
final class Names: Sendable {
    private let names = Mutex<[String: String]>([:])

    var all: [String: String] { names.withLock { $0 } }
    var count: Int { names.withLock { $0.count } }

    /// Adds a name and returns the number of names.
    @discardableResult
    func add(_ form: Form) -> Int {
        names.withLock { names in
            names[form["id"] ?? ""] = form["name"]
            return names.count
        }
    }
}

/// A flag that ends loops. Cancelling their tasks would abort a request.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    /// Raises the flag.
    ///
    /// - Returns: `true` the first time.
    @discardableResult
    func raise() -> Bool {
        state.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
    }
}
