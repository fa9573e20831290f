/// A route of an application's own, beside the admin's: what ``AviaryApp/routes`` lists.
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
/// It is served by every web worker and passes what guards the admin's own routes: the check of the host, limits of
/// size and time, security headers. A handler that traps ends its worker and nothing else.
///
/// A request that may change something is taken when it is a form with this session's token
/// (``RouteRequest/csrfToken``, in a field named `csrf`), or when its body is JSON or it is not a `POST`: a page of
/// another site cannot make a browser send those.
public struct Route: Sendable {
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Who may ask.
    public enum Access: Sendable, Hashable {
        /// Whoever is signed in, with any role. A browser that is not is led to the form for it.
        case signedIn
        /// Whoever has one of these roles.
        case roles(Set<String>)
        /// Everybody, also who is not signed in: ``RouteRequest/user`` is nil then.
        case everyone
    }

    public typealias Handler = @Sendable (RouteRequest) async throws -> RouteResponse

    let method: Method
    let path: String
    let access: Access
    let handler: Handler

    /// - Parameters:
    ///   - path: Begins with `/`; a segment in braces, such as `{id}`, is a parameter. What the admin has for itself
    ///     (`/`, `/admin`, `/assets`, …) is an error at start.
    ///   - access: Who may ask; whoever is signed in unless given.
    ///   - handler: What it throws becomes an answer: a ``RouteRefusal`` as it says, a ``StoreError`` with the status
    ///     that the admin would give it, anything else as 500 with nothing of the error's text.
    public init(_ method: Method, _ path: String, access: Access = .signedIn, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.access = access
        self.handler = handler
    }

    public static func get(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.get, path, access: access, handler)
    }
    public static func post(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.post, path, access: access, handler)
    }
    public static func put(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.put, path, access: access, handler)
    }
    public static func patch(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.patch, path, access: access, handler)
    }
    public static func delete(_ path: String, access: Access = .signedIn, _ handler: @escaping Handler) -> Route {
        Route(.delete, path, access: access, handler)
    }
}
