import AviaryDomain
import AviaryHTTP
import Hummingbird
import NIOCore

/// The facts that the middlewares determine about a request before a route handles it.
struct AdminRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer of the connection: a browser, or the proxy in front of it.
    let peer: SocketAddress?
    /// The client's address behind trusted proxies. ``SessionMiddleware`` sets it before any route runs.
    var client: IPAddress?
    /// The session. ``SessionMiddleware`` sets it before any route runs.
    var session = Session.none
    /// The cookies. ``LanguageMiddleware`` or ``SessionMiddleware`` sets them before any route runs.
    var cookies: Cookies?
    /// The submitted form, once its CSRF token has been checked.
    var form: [FormField] = []
    /// The file that comes with the form, once its CSRF token has been checked; nil when there is none.
    var upload: FormUpload?
    /// The body of a request to an application's own route that is not a form.
    var body = ByteBuffer()
    /// The request's place among the admitted requests; nil when their number is not limited.
    var admission: AdmissionTicket?
    /// Ends the connection of a body that arrives too slowly for a process at its limit.
    let endBody: @Sendable () -> Void
    /// Accepts the page for the next requests like this one; nil if the request does not ask for a page.
    var pageOffer: PageOffer?
    /// The query string's fields.
    var query: [FormField] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
        endBody = ArrivingBody.end(on: source.channel)
    }

    /// The person who is signed in.
    ///
    /// - Throws: ``PageError`` when nobody is signed in. ``AccessMiddleware`` redirects such requests to the
    ///   sign-in form before.
    var principal: Principal {
        get throws(PageError) {
            guard let principal = session.principal else { throw .signedOut }
            return principal
        }
    }

    /// The sender of the request's body, for counting bodies that arrive.
    ///
    /// A session that has expired still belongs to its account.
    var sender: BodyIntake.Sender {
        switch session.state {
        case .signedIn(let principal), .ended(let principal): .account(principal.account)
        case .anonymous: .stranger(client?.network ?? "unknown")
        }
    }

    /// The client's address as text.
    var clientName: String { client.map(\.description) ?? "unknown" }

    /// Indicates whether the route needs no session because it is the same for everybody: the health routes and
    /// the assets.
    var isImpersonal: Bool {
        guard let endpointPath else { return false }
        return HealthRoutes.paths.contains(endpointPath) || endpointPath == AssetRoutes.path
    }
}

extension AdminRequestContext {
    /// The pattern that the request's path matched, such as `/admin/{model}/{id}`.
    ///
    /// Unlike the path, it is one of a closed set.
    var route: String {
        guard let endpointPath, endpointPath.hasPrefix("/") else { return "none" }
        return endpointPath
    }
}
