/// The person who does an own ``LoadAction``: a signed-in browser that times what it asks.
///
/// What it saves and deletes of the model that is loaded is entered like every other write, and must be there, or gone, at the
/// end:
///
/// ```swift
/// LoadAction("newcomer") { visitor in
///     let sheet = try await visitor.get("/admin/animals/new", step: "open")
///     let saved = try await visitor.submit(sheet, to: "/admin/animals", filling: ["name": "Okapi"], step: "save")
///     if saved.status != 303 { visitor.report("The newcomer was answered with status \(saved.status).") }
/// }
/// ```
///
/// While processes are killed, requests are sent again until a server is back, where that does nothing twice: pages, and forms
/// that are entered.
public struct LoadVisitor: Sendable {
    var person: Person
    let action: String

    /// The ids of records of the loaded model that this person has added and that are there for sure. Change only these: they
    /// are nobody else's, so what each must be like is known.
    public var records: [String] { person.records }

    /// Asks for a page.
    ///
    /// - Parameters:
    ///   - path: such as `/admin/animals`.
    ///   - step: what the request is called in the results, behind the action's name and a dot.
    /// - Throws: an error when no answer comes.
    public mutating func get(_ path: String, step: String) async throws -> LoadAnswer {
        LoadAnswer(try await person.ask(path, as: Operation(step: step, of: action)))
    }

    /// Sends a form that stands on a page, with other values where it is told so; its token and hidden fields go along.
    ///
    /// A form that saves or deletes records of the loaded model is entered as a write: one with the fields `id`, `version` and a
    /// text, which is the record's title, or the answer to the question before a delete.
    ///
    /// - Parameters:
    ///   - page: the answer that the form came with.
    ///   - action: where the form goes; the page's first that goes there is taken.
    ///   - values: fields that are filled in.
    ///   - step: what the request is called in the results.
    /// - Throws: an error when no answer comes, or the page has no such form.
    public mutating func submit(
        _ page: LoadAnswer, to action: String, filling values: KeyValuePairs<String, String> = [:], step: String
    ) async throws -> LoadAnswer {
        guard var form = FormReader.forms(in: page.answer.body).first(where: { $0.action == action }) else {
            throw LoadTestError("The page has no form that goes to \(action).")
        }
        for (name, value) in values { form = form.setting(name, to: value) }
        return LoadAnswer(try await person.submit(form, as: Operation(step: step, of: self.action)))
    }

    /// Notes that something was not as it must be. It fails the run.
    public func report(_ text: String) {
        person.incidents.add(.unexpected, text)
    }
}

/// What was answered to a ``LoadVisitor``.
public struct LoadAnswer: Sendable {
    let answer: Answer

    init(_ answer: Answer) {
        self.answer = answer
    }

    /// The status of HTTP.
    public var status: Int { answer.status }
    /// Where it leads, as the server wrote it.
    public var location: String? { answer.location }
    /// The page.
    public var body: String { String(decoding: answer.body, as: UTF8.self) }
}
