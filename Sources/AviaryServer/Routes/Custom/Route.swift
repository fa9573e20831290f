/// A route of the application's own, in addition to those of the admin, listed in ``AviaryApp/routes``.
///
/// ```swift
/// var routes: [Route] {
///     Route.get("/menu/{id}") { request in
///         let animals = try await request.store.repository(for: Animal.self)
///         guard let animal = try await animals.find(request.id("id")) else { return .notFound }
///         return .text("\(animal.name): \(animal.diet)")
///     }
/// }
/// ```
///
/// Every web worker serves the route, with the protections of the admin's own routes: the check of the host, limits of
/// size and time, and security headers. A handler that traps ends its worker and nothing else.
///
/// The server protects requests that may change something against cross-site request forgery. It accepts a form only
/// with this session's token (``RouteRequest/csrfToken``, in a field named `csrf`). It accepts any request whose body
/// is JSON, and any method other than `POST`, because a page of another site cannot make a browser send those.
public struct Route: Sendable {
    /// The HTTP methods of a route.
    public enum Method: String, Sendable, Hashable {
        /// The method `GET`.
        case get = "GET"
        /// The method `POST`.
        case post = "POST"
        /// The method `PUT`.
        case put = "PUT"
        /// The method `PATCH`.
        case patch = "PATCH"
        /// The method `DELETE`.
        case delete = "DELETE"
    }

    /// The users that may use a route.
    public enum Access: Sendable, Hashable {
        /// Users who are signed in, with any role. The server redirects other browsers to the sign-in page.
        case signedIn
        /// Users who are signed in and have one of these roles.
        case roles(Set<String>)
        /// Everybody, also without a sign-in: ``RouteRequest/user`` is nil then.
        case everyone
    }

    /// A function that answers a request.
    public typealias Handler = @Sendable (RouteRequest) async throws -> RouteResponse

    let method: Method
    let path: String
    let access: Access
    let handler: Handler

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path, which begins with `/`. A segment in braces, such as `{id}`, is a parameter. A path of the
    ///     admin (`/`, `/admin`, `/assets`, …) is an error when the application starts.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request. A ``RouteRefusal`` that it throws is answered with its status
    ///     and message, a ``StoreError`` with the status that the admin uses for it, and any other error with status
    ///     500 and without its text.
    public init(_ method: Method, _ path: String, access: Access = .signedIn, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.access = access
        self.handler = handler
    }

    /// Creates a route for the method `GET`.
    ///
    /// - Parameters:
    ///   - path: The path. See ``init(_:_:access:_:)``.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request.
    public static func get(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.get, path, access: access, handler)
    }

    /// Creates a route for the method `POST`.
    ///
    /// - Parameters:
    ///   - path: The path. See ``init(_:_:access:_:)``.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request.
    public static func post(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.post, path, access: access, handler)
    }

    /// Creates a route for the method `PUT`.
    ///
    /// - Parameters:
    ///   - path: The path. See ``init(_:_:access:_:)``.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request.
    public static func put(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.put, path, access: access, handler)
    }

    /// Creates a route for the method `PATCH`.
    ///
    /// - Parameters:
    ///   - path: The path. See ``init(_:_:access:_:)``.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request.
    public static func patch(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.patch, path, access: access, handler)
    }

    /// Creates a route for the method `DELETE`.
    ///
    /// - Parameters:
    ///   - path: The path. See ``init(_:_:access:_:)``.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request.
    public static func delete(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.delete, path, access: access, handler)
    }
}
