import Foundation

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
