import AviaryDomain
import Hummingbird
import NIOCore

/// What the middlewares find out about a request before a route sees it.
struct AdminRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a browser, or the proxy before it.
    let peer: SocketAddress?
    /// Set by ``SessionMiddleware`` before any route runs.
    var session = Session.none
    /// The submitted form, once its CSRF token has been checked.
    var form: [FormField] = []
    /// The query string's fields.
    var query: [FormField] = []

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
