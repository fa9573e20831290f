import AviaryDomain
import Hummingbird
import NIOCore

/// What the middlewares find out about a request before a route sees it.
struct AdminRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a browser, or the proxy before it.
    let peer: SocketAddress?
    /// Who asks, past the proxies that are trusted. Set by ``SessionMiddleware`` before any route runs.
    var client: IPAddress?
    /// Set by ``SessionMiddleware`` before any route runs.
    var session = Session.none
    /// Set by ``LanguageMiddleware`` or ``SessionMiddleware`` before any route runs.
    var cookies: Cookies?
    /// The submitted form, once its CSRF token has been checked.
    var form: [FormField] = []
    /// The file that comes with the form, once its CSRF token has been checked; nil where there is none.
    var upload: FormUpload?
    /// The body of a request to an application's own route, where it was no form.
    var body = ByteBuffer()
    /// The request's place among those that are worked on; nil where there is no such bound.
    var admission: AdmissionTicket?
    /// Ends the connection of a body that arrives too slowly for a full process.
    let endBody: @Sendable () -> Void
    /// The query string's fields.
    var query: [FormField] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        let channel = source.channel
        peer = channel.remoteAddress
        endBody = { channel.triggerUserOutboundEvent(ArrivingBody.Ending(), promise: nil) }
    }

    /// Whoever is signed in.
    ///
    /// - Throws: ``RequestRefusal`` where nobody is; ``AccessMiddleware`` leads everybody else to the form for it before.
    var principal: Principal {
        get throws(RequestRefusal) {
            guard let principal = session.principal else { throw .signedOut }
            return principal
        }
    }

    /// Who sends the request's body, for counting those that arrive. A session that ran out is still its account's.
    var sender: BodyIntake.Sender {
        switch session.state {
        case .signedIn(let principal), .ended(let principal): .account(principal.account)
        case .anonymous: .stranger(client?.network ?? "unknown")
        }
    }

    /// The client's address in words.
    var clientName: String { client.map(\.description) ?? "unknown" }

    /// Whether the route is the same for everybody, so that nobody needs a session for it: whoever watches the server, and
    /// the style sheet.
    var isImpersonal: Bool {
        guard let endpointPath else { return false }
        return HealthRoutes.paths.contains(endpointPath) || endpointPath == AssetRoutes.path
    }
}

extension AdminRequestContext {
    /// The pattern that the request's path matched, such as `/admin/{model}/{id}`: one of a closed set, unlike the path.
    var route: String {
        guard let endpointPath, endpointPath.hasPrefix("/") else { return "none" }
        return endpointPath
    }
}
