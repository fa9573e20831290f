import AviaryDomain
import HTTPTypes
import Hummingbird

/// A request that is answered with an error page: what it says, and the way back.
struct RequestRefusal: Error, Sendable {
    let status: HTTPResponse.Status
    let title: String
    let text: String
    var backTitle = "Go to the overview"
    var backPath = "/admin"
    /// Seconds after which to try again.
    var retryAfter: Int?
    /// The methods that the address has, where it is about them.
    var allowed: [String] = []
    /// Whether nothing more is read from this client.
    var endsConnection = false

    static let unknownHost = RequestRefusal(
        status: .badRequest, title: "Unknown address",
        text: "This server does not answer under the name that was asked for. Use the address that it printed when it started.",
        endsConnection: true
    )
    static func methodNotAllowed(_ allowed: [String]) -> RequestRefusal {
        RequestRefusal(
            status: .methodNotAllowed, title: "This cannot be done here",
            text: "Nothing was changed. This address can only be asked with \(Words.list(allowed)).", allowed: allowed
        )
    }
    static let unknownMethod = RequestRefusal(
        status: .notImplemented, title: "This server does not know what was asked for",
        text: "Nothing was changed. The request's method is none of HTTP's."
    )
    static let forbidden = RequestRefusal(
        status: .forbidden, title: "This form cannot be accepted",
        text: "It did not come from a page of this session, so nothing was changed. Copy what you typed, reload the page and try again."
    )
    /// Not a page of this session's: there is none.
    static let signedOut = RequestRefusal(
        status: .unauthorized, title: "You are signed out", text: "Nothing was changed. Sign in and try again.",
        backTitle: "Sign in", backPath: "/login"
    )
    static let notPermitted = RequestRefusal(
        status: .forbidden, title: "Your role does not allow this",
        text: "Nothing was changed. Ask somebody who manages accounts if you need it."
    )
    static let spentLink = RequestRefusal(
        status: .gone, title: "This link is not good any more",
        text: "It was used, or is too old. Ask for a new one.", backTitle: "Sign in", backPath: "/login"
    )
    static let notSignedOut = RequestRefusal(
        status: .serviceUnavailable, title: "You are still signed in",
        text: "The store does not answer. Try again in a moment, before you leave this browser to others.", retryAfter: 2
    )
    static let malformedForm = RequestRefusal(
        status: .badRequest, title: "This form cannot be read",
        text: "It is damaged or not encoded as a form, so nothing was changed. Go back, reload the page and try again."
    )
    static let tooLarge = RequestRefusal(
        status: .contentTooLarge, title: "This form is too large",
        text: "A form may have up to 2 MiB. Nothing was changed. Go back and shorten the longest text."
    )
    static let notFound = RequestRefusal(
        status: .notFound, title: "There is nothing here",
        text: "The address is mistyped, or what was here is gone."
    )
    static func noSuchRecord(_ name: String, backTitle: String, backPath: String) -> RequestRefusal {
        RequestRefusal(
            status: .notFound, title: "This \(name) does not exist",
            text: "It was deleted, or the address is mistyped.", backTitle: backTitle, backPath: backPath
        )
    }
    static let unreadable = RequestRefusal(
        status: .serviceUnavailable, title: "The records cannot be read",
        text: "Nothing was changed. Try again in a moment.", retryAfter: 2
    )
    static let internalError = RequestRefusal(
        status: .internalServerError, title: "Something went wrong here",
        text: "Nothing was changed. Try again; if it happens again, tell whoever runs this server the reference below."
    )
}
