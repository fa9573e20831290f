import AviaryDomain
import AviaryTesting
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AviaryAdmin

/// A browser of a person, as users' tests have it. Before its first request it signs in, if it has an account.
final class Browser: Sendable {
    private let browser: TestBrowser
    let address: String
    /// The account; nil for a person without one.
    let signIn: SignIn?

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - name: The name of the account, which is created if it does not exist.
    ///   - role: The role of an account that is created.
    ///   - origin: The IP address from which the browser connects; nil for one that no other browser has.
    init(_ server: Server, as name: String = "local", role: String = "admin", from origin: String? = nil) {
        browser = TestBrowser(address: server.address, origin: origin, patience: Patience.bound)
        address = server.address
        signIn = SignIn(data: server.data, cookieName: server.sessionCookie, name: name, role: role)
    }

    /// Creates another browser of the same person, with a session of its own and without drafts.
    init(beside other: Browser) {
        browser = TestBrowser(address: other.address, patience: Patience.bound)
        address = other.address
        signIn = other.signIn
    }

    /// Creates a browser of a person who is not signed in.
    init(strangerAt server: Server) {
        browser = TestBrowser(address: server.address, patience: Patience.bound)
        address = server.address
        signIn = nil
    }

    /// The cookies of the browser, by name.
    var cookies: [String: String] {
        get { browser.cookies }
        set { browser.cookies = newValue }
    }

    var draftCookies: [String: String] { cookies.filter { $0.key.hasPrefix("d-") } }

    /// The header field with its cookies, for a request that is written by hand.
    var cookieField: String {
        get async throws {
            _ = try await get("/admin")
            return "Cookie: "
                + cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
    }

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
        if let signIn, cookies[signIn.cookieName] == nil { cookies[signIn.cookieName] = try await signIn.cookie() }
        return Answer(try await browser.exchange(method, path, headers: headers, body: body))
    }
}

// The actions of a person in the admin, in one call each.
extension Browser {
    private static let list = "?size=200"

    /// Returns the filled-in form of a new animal, not yet sent.
    func newAnimal(_ name: String, category: String = "") async throws -> Form {
        var form = try Form(sheetOf: try await get("/admin/animals/new?fresh=1"))
        form["name"] = name
        form["diet"] = "herbivorous"
        form["category"] = category
        return form
    }

    func newCategory(_ name: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/animal-categories/new?fresh=1")).with("name", name)
    }

    /// Stores an animal and returns its id.
    @discardableResult
    func addAnimal(_ name: String, category: String = "") async throws -> String {
        try await add(try await newAnimal(name, category: category), to: "animals")
    }

    func addCategory(_ name: String) async throws -> String {
        try await add(try await newCategory(name), to: "animal-categories")
    }

    /// Returns the form of a stored record.
    func sheet(of model: String, _ id: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/\(model)/\(id)"))
    }

    func rows(of model: String = "animals", named name: String) async throws -> Int {
        try await get("/admin/\(model)" + Self.list).rows(named: name)
    }

    func exists(_ model: String, _ id: String) async throws -> Bool {
        try await Browser(beside: self).get("/admin/\(model)/\(id)").status == 200
    }

    /// Deletes records as the script does, with a request for JSON.
    func delete(
        _ model: String, _ ids: [String], changeSet: String = UUID().uuidString.lowercased(), allow: Int? = nil
    ) async throws -> Answer {
        var form = Form(["csrf": try await token(), "changeset": changeSet])
        for id in ids { form.add("id", id) }
        if let allow { form.add("allow", String(allow)) }
        return try await post("/admin/\(model)/delete", form, headers: ["Accept": "application/json"])
    }

    /// Returns a token for a form of this session.
    func token() async throws -> String {
        try #require(try await get("/admin").csrf)
    }

    /// Keeps a draft as the script does.
    func keep(_ form: Form, of model: String = "animals") async throws -> Answer {
        try await post("/admin/\(model)/draft", form, headers: ["X-Requested-With": "fetch"])
    }

    private func add(_ form: Form, to model: String) async throws -> String {
        let answer = try await post("/admin/\(model)", form)
        try #require(answer.status == 303)
        return try #require(form["id"])
    }
}

// The actions of a person on their own account, in one call each.
extension Browser {
    private static let secondFactor = "/admin/account/second-factor"

    /// Sends a form about the person's own account.
    func postOwn(_ path: String, _ fields: KeyValuePairs<String, String>) async throws -> Answer {
        var form = Form(fields)
        form["csrf"] = try await token()
        return try await post("/admin/account/" + path, form)
    }

    /// Returns the form that sets up a second factor, with the key that it shows.
    func secondFactorForm(password: String) async throws -> (form: Form, key: String) {
        let page = try await get(Self.secondFactor)
        return (
            try Form(of: page, action: Self.secondFactor).with("current", password), try #require(page.secondFactorKey)
        )
    }

    /// Sends the form with the current code.
    func confirm(_ form: Form, key: String) async throws -> Answer {
        let secret = try #require(Base32.decode(key))
        var answer: Answer, step: Int
        repeat {
            step = OneTimeCode.step(at: Date())
            let code = String(decoding: OneTimeCode.code(of: secret, step: step), as: UTF8.self)
            answer = try await post(Self.secondFactor, form.with("code", code))
            // On a machine so slow that the code has expired when the server checks it, another code is sent.
        } while answer.status == 422 && OneTimeCode.step(at: Date()) > step + 1
        return answer
    }

    /// Sets up a second factor.
    ///
    /// - Returns: Its key, in Base32, and the recovery codes.
    @discardableResult
    func setUpSecondFactor(password: String) async throws -> (key: String, recoveryCodes: [String]) {
        let (form, key) = try await secondFactorForm(password: password)
        let answer = try await confirm(form, key: key)
        try #require(answer.status == 200)
        return (key, answer.source.matches(of: /<li><code>([A-Z2-7-]+)<\/code>/).map { String($0.1) })
    }
}

extension Answer {
    /// The key that the form for a second factor shows, in Base32.
    var secondFactorKey: String? {
        source.firstMatch(of: /<code class="secret">([A-Z2-7 ]+)</).map { String($0.1.filter { $0 != " " }) }
    }
}

extension Browser {
    /// Uploads the file to be imported.
    func bring(_ text: String, to model: String = "animals") async throws -> Answer {
        let boundary = "----import", token = try await token()
        let body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n"
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n\(text)\r\n--\(boundary)--\r\n"
        return try await send(
            "POST", "/admin/\(model)/import", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(string: body)
        )
    }

    /// Starts or continues an import of the file, and returns its page after it has ended.
    func importing(_ path: String, _ form: Form) async throws -> Answer {
        let begun = try await post(path, form.with("csrf", try await token()))
        #expect(begun.status == 303 && begun.location == path)
        var page = try await get(path)
        try await eventually("the import ends") {
            if page.header("Refresh").isEmpty { return true }
            #expect(page.body.contains("Importing the file."))
            page = try await get(path)
            return false
        }
        return page
    }
}
