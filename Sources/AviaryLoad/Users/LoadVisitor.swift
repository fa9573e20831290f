import Foundation

/// A virtual user that performs a ``LoadAction`` of the application: a signed-in browser that measures its requests.
///
/// The harness records what the user saves and deletes of the tested model, like every other write. At the end of the
/// run, it checks that the saved records exist and that the deleted ones do not:
///
/// ```swift
/// LoadAction("newcomer") { visitor in
///     let sheet = try await visitor.get("/admin/animals/new", step: "open")
///     let saved = try await visitor.submit(sheet, to: "/admin/animals", filling: ["name": "Okapi"], step: "save")
///     if saved.status != 303 { visitor.report("The newcomer was answered with status \(saved.status).") }
/// }
/// ```
///
/// In a run that expects outages, the user repeats a request until a server answers. It repeats only requests that are
/// idempotent: pages, and forms that the harness records as writes.
public struct LoadVisitor: Sendable {
    var person: VirtualUser
    let action: String

    /// The ids of the records of the tested model that this user has added and whose write was acknowledged.
    ///
    /// Change only these records. No other user changes them, so the harness knows their expected values.
    public var records: [String] { person.records }

    /// Requests a page.
    ///
    /// - Parameters:
    ///   - path: The path, such as `/admin/animals`.
    ///   - step: The name of the request in the results, where it follows the action's name and a dot.
    /// - Returns: The answer of the server.
    /// - Throws: An error when no answer arrives.
    public mutating func get(_ path: String, step: String) async throws -> LoadAnswer {
        LoadAnswer(try await person.ask(path, as: Operation(step: step, of: action)))
    }

    /// Submits a form of a page, with its token and hidden fields, and with new values for some fields.
    ///
    /// The harness records a form that saves or deletes records of the tested model as a write. Such a form has the
    /// fields `id` and `version` and a text field, which is the title of the record, or it is the confirmation of a
    /// delete.
    ///
    /// - Parameters:
    ///   - page: The answer that contains the form.
    ///   - action: The path that the form is sent to. The method uses the first form of the page with this path.
    ///   - values: The fields to fill in.
    ///   - step: The name of the request in the results.
    /// - Returns: The answer of the server.
    /// - Throws: An error when no answer arrives, or when the page has no such form.
    public mutating func submit(
        _ page: LoadAnswer, to action: String, filling values: KeyValuePairs<String, String> = [:], step: String
    ) async throws -> LoadAnswer {
        let forms = FormReader.forms(in: page.answer.body).filter { $0.action == action }
        // A list searches at the address where its sheet saves; a form that saves has a token.
        guard var form = forms.first(where: { $0.fields.contains { $0.name == "csrf" } }) ?? forms.first else {
            throw LoadTestError("The page has no form that goes to \(action).")
        }
        for (name, value) in values { form = form.setting(name, to: value) }
        return LoadAnswer(try await person.submit(form, as: Operation(step: step, of: self.action)))
    }

    /// Reports an unexpected behaviour of the server. It fails the run.
    ///
    /// - Parameter text: A sentence for the results.
    public func report(_ text: String) {
        person.incidents.add(.unexpected, text)
    }
}

/// The answer of the server to a request of a ``LoadVisitor``.
public struct LoadAnswer: Sendable {
    let answer: BrowserResponse

    init(_ answer: BrowserResponse) {
        self.answer = answer
    }

    /// The HTTP status code.
    public var status: Int { answer.status }
    /// The value of the `Location` header, as the server wrote it; nil when there is none.
    public var location: String? { answer.location }
    /// The body as text.
    public var body: String { String(decoding: answer.body, as: UTF8.self) }
}

/// The requests of an application's own actions.
extension VirtualUser {
    /// Requests a page. In a run that expects outages, the request is repeated while the server is unavailable.
    mutating func ask(_ path: String, as operation: Operation) async throws -> BrowserResponse {
        let deadline = ContinuousClock.now + patience
        while true {
            let mayRepeat = expectsOutages && .now < deadline
            do {
                let answer = try await browser.get(path, as: operation)
                guard mayRepeat, answer.maySucceedLater else { return answer }
            } catch {
                guard mayRepeat else {
                    noteLongOutage("GET \(path)", error)
                    throw error
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Submits a form.
    ///
    /// A form that the ledger records counts as one write even if it arrives several times. In a run that expects
    /// outages, it is sent again while the server is unavailable.
    mutating func submit(_ form: Form, as operation: Operation) async throws -> BrowserResponse {
        let writes = writes(of: form)
        for write in writes { ledger.begin(write) }
        let deadline = ContinuousClock.now + patience
        var mayHaveHappened = false
        while true {
            let mayRepeat = expectsOutages && !writes.isEmpty && .now < deadline
            do {
                let answer = try await browser.post(form.fields, to: form.action, as: operation)
                guard mayRepeat, answer.maySucceedLater else {
                    // A rejected retry says nothing about the first attempt.
                    settle(writes, as: answer.outcome == .refused && mayHaveHappened ? .unknown : answer.outcome)
                    return answer
                }
                mayHaveHappened = mayHaveHappened || answer.outcome == .unknown
            } catch {
                guard mayRepeat else {
                    settle(writes, as: .unknown)
                    if !writes.isEmpty { noteLongOutage("POST \(form.action)", error) }
                    throw error
                }
                mayHaveHappened = true
            }
            if mayHaveHappened { ledger.recordUnknownOutcome() }
            try await Task.sleep(for: Self.pause)
            ledger.noteRetry()
        }
    }

    /// Reports a request without an answer that was repeated until the longest expected outage had passed.
    private func noteLongOutage(_ request: String, _ error: NoResponse) {
        guard expectsOutages else { return }
        incidents.add(.unexpected, "\(request) failed for \(Int(patience.seconds)) s: \(error).")
    }

    /// Returns the writes of a form to records of the tested model; empty for any other form.
    private func writes(of form: Form) -> [Write] {
        let path = form.action.prefix { $0 != "?" }
        if path == listPath + "/delete", form["changeset"] != nil {
            return form.fields.filter { $0.name == "id" }.map { Write(record: $0.value, change: .delete) }
        }
        guard let record = form["id"], let version = form["version"], let title = form.title else { return [] }
        if path == listPath, version.isEmpty { return [Write(record: record, change: .add(title: title))] }
        return path == "\(listPath)/\(record)" ? [Write(record: record, change: .edit(title: title))] : []
    }

    private mutating func settle(_ writes: [Write], as outcome: WriteOutcome) {
        for write in writes {
            ledger.settle(write, as: outcome)
            switch (write.change, outcome) {
            case (.add, .acknowledged): records.append(write.record)
            case (.delete, .acknowledged), (_, .unknown): records.removeAll { $0 == write.record }
            default: break
            }
        }
    }
}

/// The credentials of the virtual users.
package enum Credentials: Sendable {
    case password(user: String, password: String)
    /// A path that sets the password of an account once and signs in.
    case link(path: String)
}

/// A sign-in through the form, as in a browser.
///
/// All virtual users of a run share one account and session, each in a browser of its own with its own drafts. The
/// hashing of a password deliberately takes the server a good part of a second, and is not what the run measures.
struct SignIn: Sendable {
    let client: HTTPClient
    let origin: String
    let recorder: Recorder

    static let path = "/login"

    /// Signs in.
    ///
    /// - Returns: The cookies of the session.
    func cookies(_ credentials: Credentials) async throws(LoadTestError) -> CookieJar {
        var browser = Browser(client: client, origin: origin, recorder: recorder)
        do {
            let form = try await form(for: credentials, in: &browser)
            let answer = try await browser.post(form.fields, to: form.action, as: .check)
            guard answer.status == 303, !answer.asksForSignIn else { throw refusal(answer) }
        } catch let error as LoadTestError {
            throw error
        } catch {
            throw LoadTestError("The server does not answer: \(error)")
        }
        return browser.cookies
    }

    /// Returns the sign-in form of the server's page with the credentials filled in. It includes the token and the
    /// other fields of the form.
    private func form(for credentials: Credentials, in browser: inout Browser) async throws -> Form {
        let page: BrowserResponse
        let typed: [(name: String, value: String)]
        switch credentials {
        case .password(let user, let password):
            page = try await browser.get(Self.path, as: .check)
            typed = [("username", user), ("password", password)]
        case .link(let path):
            page = try await browser.get(path, as: .check)
            let password = UUID().uuidString
            typed = [("password", password), ("repeated", password)]
        }
        guard page.status == 200,
            var form = FormReader.forms(in: page.body).first(where: { form in
                form.action == Self.path && typed.allSatisfy { form[$0.name] != nil }
            })
        else {
            throw LoadTestError(
                "The page for signing in was answered with status \(page.status) and has no form. Check that --url names an admin of this program."
            )
        }
        for (name, value) in typed { form = form.setting(name, to: value) }
        return form
    }

    /// Returns the error for a failed sign-in. The text contains neither the account nor the password.
    private func refusal(_ answer: BrowserResponse) -> LoadTestError {
        switch answer.status {
        case 200: LoadTestError("This account asks for a second factor. Make one without it for load tests.")
        case 429: LoadTestError("There were too many attempts to sign in. Wait a few minutes, then try again.")
        case 500...:
            LoadTestError("Signing in does not work at the moment (status \(answer.status)). Look at the server's log.")
        default: LoadTestError("Signing in was refused with status \(answer.status). Check --user and the password.")
        }
    }
}

/// The links of the list page that the user last opened.
struct ListLinks: Sendable {
    private(set) var next: String?
    private(set) var sorts: [String] = []
    private(set) var records: [String] = []
    private(set) var titles: [String] = []
    private(set) var hasSearch = false

    init() {}

    init(_ page: ListPage) {
        next = page.next
        sorts = page.sorts
        records = page.rows.map(\.href)
        titles = page.rows.map(\.title)
        hasSearch = page.hasSearch
    }
}
