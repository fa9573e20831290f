import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request that is answered with an error page, with the page's text and its link back.
struct PageError: Error, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let text: String
    var backTitle = localized("Go to overview")
    var backPath = "/admin"
    /// The number of seconds after which the client can retry.
    var retryAfter: Int?
    /// The methods that the path supports, for a refusal because of the method.
    var allowed: [String] = []
    /// The text that was typed into a sheet, so that it can be sent again.
    var resend: ErrorPage.Resend?
    /// Indicates whether the server reads nothing more from this client.
    var endsConnection = false
    /// Indicates whether a response with status 500 or above has a line in the log.
    ///
    /// Refusals that may occur by the thousands have none.
    var isLogged = true
    /// Indicates whether the audit log gets an event, because a role does not allow the request.
    var isRefusedAction = false

    static var unknownHost: PageError {
        PageError(
            status: .badRequest, title: localized("Unknown host"),
            text: localized(
                "This server doesn’t respond under this name. Use the address that the server printed when it started."
            ),
            endsConnection: true
        )
    }
    static func methodNotAllowed(_ allowed: [String]) -> PageError {
        PageError(
            status: .methodNotAllowed, title: localized("This isn’t possible here"),
            text: localized("Nothing was changed. This address only accepts \(TextFormatter.list(allowed))."),
            allowed: allowed
        )
    }
    static var unknownMethod: PageError {
        PageError(
            status: .notImplemented, title: localized("Unknown request"),
            text: localized("Nothing was changed. The request has an unknown HTTP method.")
        )
    }
    static var forbidden: PageError {
        PageError(
            status: .forbidden, title: localized("This form can’t be accepted"),
            text: localized(
                "The form doesn’t belong to this session, so nothing was changed. Copy your text, reload the page and try again."
            )
        )
    }
    /// The refusal of a sheet that was opened in an earlier session of this browser.
    static func stale(_ form: ErrorPage.Resend) -> PageError {
        var refusal = PageError(
            status: .forbidden, title: localized("This page was opened before you signed in"),
            text: localized("Nothing was saved yet. Your changes are still here. Send them again.")
        )
        refusal.resend = form
        return refusal
    }
    /// The refusal of a sheet whose person has signed out elsewhere.
    static func signedOut(_ form: ErrorPage.Resend) -> PageError {
        var refusal = PageError(
            status: .forbidden, title: localized("You’re signed out"),
            text: localized(
                "Nothing was saved. Your changes are still here. Sign in in another window, then send them again here."),
            backTitle: localized("Sign in"), backPath: AccountPaths.signIn
        )
        refusal.resend = form
        return refusal
    }
    /// The refusal of a draft of a sheet from an earlier session, which a script sends during typing.
    static var staleDraft: PageError {
        PageError(
            status: .forbidden, title: localized("This page was opened before you signed in"),
            text: localized(
                "Draft not saved: this page was opened before you signed in. Select Save, then send your changes again."
            )
        )
    }
    /// The refusal of a request without a session.
    static var signedOut: PageError {
        PageError(
            status: .unauthorized, title: localized("You’re signed out"),
            text: localized("Nothing was changed. Sign in and try again."),
            backTitle: localized("Sign in"), backPath: "/login"
        )
    }
    static var notPermitted: PageError {
        PageError(
            status: .forbidden, title: localized("Your role doesn’t allow this"),
            text: localized("Nothing was changed. Ask someone who manages accounts for access."),
            isRefusedAction: true
        )
    }
    /// The answer to an account that lacks the second factor of its role.
    static var secondFactorNeeded: PageError {
        PageError(
            status: .forbidden, title: localized("Your role requires two-factor authentication"),
            text: localized("Nothing was changed. Set up two-factor authentication, then try again."),
            backTitle: localized("Set up two-factor authentication"), backPath: AccountPaths.secondFactor,
            isRefusedAction: true
        )
    }
    static var spentLink: PageError {
        PageError(
            status: .gone, title: localized("This link no longer works"),
            text: localized("This link was already used or has expired. Ask for a new one."),
            backTitle: localized("Sign in"),
            backPath: "/login"
        )
    }
    static var notSignedOut: PageError {
        PageError(
            status: .serviceUnavailable, title: localized("You’re still signed in"),
            text: localized(
                "Couldn’t sign you out. Try again in a moment, before you leave this browser to others."),
            retryAfter: 2
        )
    }
    static var malformedForm: PageError {
        PageError(
            status: .badRequest, title: localized("This form can’t be read"),
            text: localized(
                "The form is damaged or has the wrong encoding, so nothing was changed. Go back, reload the page and try again."
            )
        )
    }
    static var tooLarge: PageError {
        PageError(
            status: .contentTooLarge, title: localized("This form is too large"),
            text: localized("A form can have up to 2 MiB. Nothing was changed. Go back and shorten the longest text.")
        )
    }
    /// The refusal of a page whose content is longer than a page may be. The requested action may have been done.
    static var pageTooLong: PageError {
        PageError(
            status: .unprocessableContent, title: localized("This page is too long"),
            text: localized("The content doesn’t fit on one page. Choose less, or export the records.")
        )
    }
    /// The refusal of a form of a person who is not signed in. Their forms are short.
    static var tooLargeForStranger: PageError {
        PageError(
            status: .contentTooLarge, title: localized("This form is too large"),
            text: localized("This form is too long to send without signing in. Nothing was changed. Sign in first."),
            backTitle: localized("Sign in"), backPath: AccountPaths.signIn
        )
    }
    static var notFound: PageError {
        PageError(
            status: .notFound, title: localized("Page not found"),
            text: localized("The address is wrong, or the page no longer exists.")
        )
    }
    /// Returns the refusal of a query that cannot be read.
    ///
    /// A query that names something that does not exist gets ``notFound``.
    ///
    /// - Parameter name: The name of the field that cannot be read; nil when it is not known.
    static func unreadableAddress(_ name: String? = nil) -> PageError {
        PageError(
            status: .badRequest, title: localized("Invalid address"),
            text: name.map {
                localized(
                    "The value of “\($0)” in the address is invalid. Nothing was changed. Start from the page below."
                )
            }
                ?? localized(
                    "A part of the address is invalid. Nothing was changed. Start from the page below."
                )
        )
    }
    /// Returns the refusal of a query that contains a name twice. Choosing one of the values would be a guess.
    static func ambiguousAddress(_ name: String) -> PageError {
        PageError(
            status: .badRequest, title: localized("Invalid address"),
            text: localized(
                "The address contains “\(TextFormatter.beginning(of: name, longest: 40))” more than once. Nothing was changed. Start from the page below."
            )
        )
    }
    static func noSuchRecord(_ name: String, backTitle: String, backPath: String) -> PageError {
        PageError(
            status: .notFound, title: localized("This \(name) doesn’t exist"),
            text: localized("The record was deleted, or the address is wrong."), backTitle: backTitle,
            backPath: backPath
        )
    }
    static var unreadable: PageError {
        PageError(
            status: .serviceUnavailable, title: localized("Couldn’t load the records"),
            text: localized("Nothing was changed. Try again in a moment."), retryAfter: 2
        )
    }
    static var internalError: PageError {
        PageError(
            status: .internalServerError, title: localized("Something went wrong"),
            text: localized(
                "Nothing was changed. Try again. If it happens again, give the administrator the error ID below."
            )
        )
    }
}

extension PageError {
    /// Returns the refusal with a link back to the whole list, if there is a list.
    func leading(to model: AdminModel?) -> PageError {
        guard let model else { return self }
        var refusal = self
        (refusal.backTitle, refusal.backPath) = (localized("Show all \(model.schema.pluralName)"), model.paths.list)
        return refusal
    }
}

extension Response {
    static func html(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: html.bytes))
        )
    }

    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        guard let data = try? encoder.encode(value) else {  // only plain texts, numbers and lists are answered
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// Returns the redirect after a form. The browser continues with a GET.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }

    /// Returns the redirect as JSON when a script sent the request.
    ///
    /// A script cannot see the address of a redirect that it follows.
    func redirectOrJSON(to request: Request) -> Response {
        guard status == .seeOther, request.wantsJSON, let address = headers[.location] else { return self }
        var answer = Response.json(["location": address])
        for cookie in headers[values: .setCookie] { answer.headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return answer
    }

    static let noContent = Response(status: .noContent)

    /// Returns a page that reloads every two seconds, even without scripts, until the work is done.
    func autoRefreshing(while isWorking: Bool) -> Response {
        guard isWorking, let refresh = HTTPField.Name("Refresh") else { return self }
        var response = self
        response.headers[refresh] = "2"
        return response
    }
}

extension Request {
    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") == true || isFetch
    }

    /// Indicates whether our own script sent the request. The response is a status and no page.
    var isFetch: Bool {
        HTTPField.Name("X-Requested-With").flatMap { headers[$0] } == "fetch"
    }
}

extension Response {
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}

/// Reads data for a page. A read that fails always gets the same refusal.
func mappingReadErrors<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
    do {
        return try await read()
    } catch AccountError.signedOut {
        throw PageError.signedOut
    } catch let error where error is AccessError || error is AccountError || error is PageError {
        throw error
    } catch {
        throw PageError.unreadable
    }
}

/// Performs a change that is not a form with fields.
func mappingWriteErrors(_ write: () async throws -> Void) async throws {
    do {
        try await write()
    } catch AccountError.signedOut {
        throw PageError.signedOut
    } catch {
        throw PageError.unreadable
    }
}
