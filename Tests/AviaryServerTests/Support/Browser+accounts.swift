import Foundation
import Testing

@testable import AviaryServer

// What a person does with the own account, in one call each.
extension Browser {
    private static let secondFactor = "/admin/account/second-factor"

    /// Sends a form about the own account.
    func postOwn(_ path: String, _ fields: KeyValuePairs<String, String>) async throws -> Answer {
        var form = Form(fields)
        form["csrf"] = try await token()
        return try await post("/admin/account/" + path, form)
    }

    /// The form that sets up a second factor, with the key that it shows.
    func secondFactorForm(password: String) async throws -> (form: Form, key: String) {
        let page = try await get(Self.secondFactor)
        return (
            try Form(of: page, action: Self.secondFactor).with("current", password), try #require(page.secondFactorKey)
        )
    }

    /// Sends the form with the code that is right at this moment.
    func confirm(_ form: Form, key: String) async throws -> Answer {
        let secret = try #require(Base32.decode(key))
        var answer: Answer, step: Int
        repeat {
            step = OneTimeCode.step(at: Date())
            let code = String(decoding: OneTimeCode.code(of: secret, step: step), as: UTF8.self)
            answer = try await post(Self.secondFactor, form.with("code", code))
            // A machine that is so slow that the code is no longer good when it is looked at gets another one.
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
