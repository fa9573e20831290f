import AccountsFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request that is answered with an error page, with the page's text and its link back.
struct RequestRefusal: Error, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let text: String
    var backTitle = localized("Go to the overview")
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

    static var unknownHost: RequestRefusal {
        RequestRefusal(
            status: .badRequest, title: localized("Unknown address"),
            text: localized(
                "This server does not answer under the name that was asked for. Use the address that it printed when it started."
            ),
            endsConnection: true
        )
    }
    static func methodNotAllowed(_ allowed: [String]) -> RequestRefusal {
        RequestRefusal(
            status: .methodNotAllowed, title: localized("This cannot be done here"),
            text: localized("Nothing was changed. This address can only be asked with \(Words.list(allowed))."),
            allowed: allowed
        )
    }
    static var unknownMethod: RequestRefusal {
        RequestRefusal(
            status: .notImplemented, title: localized("This server does not know what was asked for"),
            text: localized("Nothing was changed. The request's method is none of HTTP's.")
        )
    }
    static var forbidden: RequestRefusal {
        RequestRefusal(
            status: .forbidden, title: localized("This form cannot be accepted"),
            text: localized(
                "It did not come from a page of this session, so nothing was changed. Copy what you typed, reload the page and try again."
            )
        )
    }
    /// The refusal of a sheet that was opened in an earlier session of this browser.
    static func stale(_ form: ErrorPage.Resend) -> RequestRefusal {
        var refusal = RequestRefusal(
            status: .forbidden, title: localized("This page is from before you signed in"),
            text: localized("Nothing was saved yet. What you typed is still here: send it again.")
        )
        refusal.resend = form
        return refusal
    }
    /// The refusal of a sheet whose person has signed out elsewhere.
    static func signedOut(_ form: ErrorPage.Resend) -> RequestRefusal {
        var refusal = RequestRefusal(
            status: .forbidden, title: localized("You are signed out"),
            text: localized(
                "Nothing was saved. What you typed is still here: sign in in another window, then send it again here."),
            backTitle: localized("Sign in"), backPath: AccountPaths.signIn
        )
        refusal.resend = form
        return refusal
    }
    /// The refusal of a draft of a sheet from an earlier session, which a script sends during typing.
    static var staleDraft: RequestRefusal {
        RequestRefusal(
            status: .forbidden, title: localized("This page is from before you signed in"),
            text: localized(
                "This page is from before you signed in, so this is not kept as a draft. Save keeps your text: it shows it once more, to be sent again."
            )
        )
    }
    /// The refusal of a request without a session.
    static var signedOut: RequestRefusal {
        RequestRefusal(
            status: .unauthorized, title: localized("You are signed out"),
            text: localized("Nothing was changed. Sign in and try again."),
            backTitle: localized("Sign in"), backPath: "/login"
        )
    }
    static var notPermitted: RequestRefusal {
        RequestRefusal(
            status: .forbidden, title: localized("Your role does not allow this"),
            text: localized("Nothing was changed. Ask somebody who manages accounts if you need it."),
            isRefusedAction: true
        )
    }
    /// The answer to an account that lacks the second factor of its role.
    static var secondFactorNeeded: RequestRefusal {
        RequestRefusal(
            status: .forbidden, title: localized("Your role requires a second factor"),
            text: localized("Nothing was changed. Set up a second factor first, then try again."),
            backTitle: localized("Set up a second factor"), backPath: AccountPaths.secondFactor, isRefusedAction: true
        )
    }
    static var spentLink: RequestRefusal {
        RequestRefusal(
            status: .gone, title: localized("This link is not good any more"),
            text: localized("It was used, or is too old. Ask for a new one."), backTitle: localized("Sign in"),
            backPath: "/login"
        )
    }
    static var notSignedOut: RequestRefusal {
        RequestRefusal(
            status: .serviceUnavailable, title: localized("You are still signed in"),
            text: localized(
                "The store does not answer. Try again in a moment, before you leave this browser to others."),
            retryAfter: 2
        )
    }
    static var malformedForm: RequestRefusal {
        RequestRefusal(
            status: .badRequest, title: localized("This form cannot be read"),
            text: localized(
                "It is damaged or not encoded as a form, so nothing was changed. Go back, reload the page and try again."
            )
        )
    }
    static var tooLarge: RequestRefusal {
        RequestRefusal(
            status: .contentTooLarge, title: localized("This form is too large"),
            text: localized("A form may have up to 2 MiB. Nothing was changed. Go back and shorten the longest text.")
        )
    }
    /// The refusal of a page whose content is longer than a page may be. The requested action may have been done.
    static var pageTooLong: RequestRefusal {
        RequestRefusal(
            status: .unprocessableContent, title: localized("This page would be too long"),
            text: localized("What it shows is longer than a page may be. Choose less, or export it.")
        )
    }
    /// The refusal of a form of a person who is not signed in. Their forms are short.
    static var tooLargeForStranger: RequestRefusal {
        RequestRefusal(
            status: .contentTooLarge, title: localized("This form is too large"),
            text: localized("Who is not signed in can only send short forms. Nothing was changed. Sign in first."),
            backTitle: localized("Sign in"), backPath: AccountPaths.signIn
        )
    }
    static var notFound: RequestRefusal {
        RequestRefusal(
            status: .notFound, title: localized("There is nothing here"),
            text: localized("The address is mistyped, or what was here is gone.")
        )
    }
    /// Returns the refusal of a query that cannot be read.
    ///
    /// A query that names something that does not exist gets ``notFound``.
    ///
    /// - Parameter name: The name of the field that cannot be read; nil when it is not known.
    static func unreadableAddress(_ name: String? = nil) -> RequestRefusal {
        RequestRefusal(
            status: .badRequest, title: localized("This address cannot be read"),
            text: name.map {
                localized(
                    "What it says of “\($0)” is mistyped, cut off, or from another list. Nothing was changed. Begin from the page below."
                )
            }
                ?? localized(
                    "A part of it is mistyped, cut off, or from another list. Nothing was changed. Begin from the page below."
                )
        )
    }
    /// Returns the refusal of a query that contains a name twice. Choosing one of the values would be a guess.
    static func ambiguousAddress(_ name: String) -> RequestRefusal {
        RequestRefusal(
            status: .badRequest, title: localized("This address cannot be read"),
            text: localized(
                "It says “\(Words.beginning(of: name, longest: 40))” more than once, and only one of them could count. Nothing was changed. Begin from the page below."
            )
        )
    }
    static func noSuchRecord(_ name: String, backTitle: String, backPath: String) -> RequestRefusal {
        RequestRefusal(
            status: .notFound, title: localized("This \(name) does not exist"),
            text: localized("It was deleted, or the address is mistyped."), backTitle: backTitle, backPath: backPath
        )
    }
    static var unreadable: RequestRefusal {
        RequestRefusal(
            status: .serviceUnavailable, title: localized("The records cannot be read"),
            text: localized("Nothing was changed. Try again in a moment."), retryAfter: 2
        )
    }
    static var internalError: RequestRefusal {
        RequestRefusal(
            status: .internalServerError, title: localized("Something went wrong here"),
            text: localized(
                "Nothing was changed. Try again; if it happens again, tell whoever runs this server the reference below."
            )
        )
    }
}

extension RequestRefusal {
    /// Returns the refusal with a link back to the whole list, if there is a list.
    func leading(to model: AdminModel?) -> RequestRefusal {
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
    func told(to request: Request) -> Response {
        guard status == .seeOther, request.wantsJSON, let address = headers[.location] else { return self }
        var answer = Response.json(["location": address])
        for cookie in headers[values: .setCookie] { answer.headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return answer
    }

    static let noContent = Response(status: .noContent)

    /// Returns a page that reloads every two seconds, even without scripts, until the work is done.
    func shownAnew(while isWorking: Bool) -> Response {
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
func reading<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
    do {
        return try await read()
    } catch AccountError.signedOut {
        throw RequestRefusal.signedOut
    } catch let error where error is AccessRefusal || error is AccountError || error is RequestRefusal {
        throw error
    } catch {
        throw RequestRefusal.unreadable
    }
}

/// Performs a change that is not a form with fields.
func writing(_ write: () async throws -> Void) async throws {
    do {
        try await write()
    } catch AccountError.signedOut {
        throw RequestRefusal.signedOut
    } catch {
        throw RequestRefusal.unreadable
    }
}
