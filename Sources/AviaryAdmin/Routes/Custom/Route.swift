import AviaryDesign
public import AviaryDomain

/// A route of the application's own, in addition to those of the admin, listed in ``AviaryApp/routes``.
///
/// ```swift
/// var routes: [Route] {
///     Route.get("/menu/{id}") { request in
///         let animals = try await request.store.repository(for: Animal.self)
///         guard let animal = try await animals.find(request.id("id")) else { return .notFound }
///         return .html(animal.name) { PageFacts(["Diet": "\(animal.diet)"]) }
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
        /// Users who are signed in, with a role that allows an action on the records of the model of this name. Write
        /// it as ``allowed(_:on:)``.
        case permission(ModelAction, model: String)
        /// Users who are signed in, with a role that allows one of the admin's own tasks.
        case task(AdminPermission)

        /// Returns the access of users whose role allows an action on a model's records.
        ///
        /// ```swift
        /// Route.get("/feeding-plan", access: .allowed(.view, on: Animal.self)) { request in … }
        /// ```
        ///
        /// - Parameters:
        ///   - action: The action.
        ///   - model: A model that the admin shows. Another one is an error when the application starts.
        public static func allowed<M: Model>(_ action: ModelAction, on model: M.Type) -> Access {
            .permission(action, model: M.modelName)
        }

        /// Returns whether an account that is signed in may use the route.
        func permits(_ principal: Principal) -> Bool {
            switch self {
            case .signedIn, .everyone: true
            case .roles(let roles): roles.contains(principal.role.name)
            case .permission(let action, let model): principal.may(action, model)
            case .task(let task): principal.may(task)
            }
        }
    }

    /// A function that answers a request.
    public typealias Handler = @Sendable (RouteRequest) async throws -> RouteResponse

    let method: Method
    let path: String
    let access: Access
    let handler: Handler
    private(set) var item: RouteNavigationItem?

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path, which begins with `/`. A segment in braces, such as `{id}`, is a parameter. A path of the
    ///     admin (`/`, `/admin`, `/assets`, …) is an error when the application starts.
    ///   - access: The users that may use the route; those who are signed in by default.
    ///   - handler: A function that answers a request. A ``RouteHTTPError`` that it throws is answered with its status
    ///     and message, a ``StoreError`` with the status that the admin uses for it, and any other error with status
    ///     500 and without its text.
    public init(_ method: Method, _ path: String, access: Access = .signedIn, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.access = access
        self.handler = handler
    }

    /// Returns the route with an item in the admin's navigation, after the models.
    ///
    /// ```swift
    /// Route.get("/feeding-plan", access: .allowed(.view, on: Animal.self)) { request in
    ///     .html("Feeding plan") { PageText("Hay, fish and leaves.") }
    /// }
    /// .navigationItem("Feeding plan", icon: .calendar, group: "Keepers")
    /// ```
    ///
    /// The navigation shows the item to users who may use the route. It is marked on the route's page and on pages whose
    /// path begins with the route's.
    ///
    /// - Parameters:
    ///   - title: The title, which the navigation shows in the language of the page when ``AviaryApp/languages`` has a
    ///     translation.
    ///   - icon: The symbol of the tab on a phone; nil for the initials of the title.
    ///   - group: The heading over the items with the same group; nil for none.
    /// - Returns: The route. An item of a route that is not a `GET`, or whose path has parameters, is an error when the
    ///   application starts.
    public func navigationItem(_ title: String, icon: PageIcon? = nil, group: String? = nil) -> Route {
        var route = self
        route.item = RouteNavigationItem(title: title, icon: icon, group: group)
        return route
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

/// The item of a route in the navigation.
struct RouteNavigationItem: Sendable, Hashable {
    let title: String
    let icon: PageIcon?
    let group: String?
}

/// An icon of the admin, for an item in its navigation.
public enum PageIcon: Sendable, Hashable, CaseIterable {
    /// A line of activity.
    case activity
    /// A page of a calendar.
    case calendar
    /// A bar chart.
    case chart
    /// A tick.
    case check
    /// A clock.
    case clock
    /// A sheet of paper.
    case document
    /// The letter i in a circle.
    case information
    /// The lines of a list.
    case list
    /// An envelope.
    case mail
    /// A place on a map.
    case map
    /// Two people.
    case people
    /// A magnifying glass.
    case search
    /// A price tag.
    case tag
    /// An exclamation mark in a triangle.
    case warning

    var component: Icon {
        switch self {
        case .activity: .activity
        case .calendar: .calendar
        case .chart: .chart
        case .check: .check
        case .clock: .clock
        case .document: .document
        case .information: .information
        case .list: .list
        case .mail: .mail
        case .map: .map
        case .people: .people
        case .search: .search
        case .tag: .tag
        case .warning: .warning
        }
    }
}

/// A result builder that builds the list in ``AviaryApp/routes``.
@resultBuilder
public enum RouteBuilder {
    /// Builds a list from one route.
    public static func buildExpression(_ route: Route) -> [Route] { [route] }
    /// Builds a list from a list of routes.
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    /// Builds a list from the routes of a block.
    public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap(\.self) }
    /// Builds a list from an `if` without `else`.
    public static func buildOptional(_ part: [Route]?) -> [Route] { part ?? [] }
    /// Builds a list from the first branch of a condition.
    public static func buildEither(first part: [Route]) -> [Route] { part }
    /// Builds a list from the second branch of a condition.
    public static func buildEither(second part: [Route]) -> [Route] { part }
    /// Builds a list from a loop.
    public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap(\.self) }
}

/// The validated pattern of an application route's path.
struct RoutePath: Sendable {
    private enum Segment: Hashable {
        case literal(String)
        case parameter(String)
    }

    /// The first segments that belong to the admin, now or by its contract.
    private static let reserved: Set<String> = ["admin", "assets", "login", "logout", "healthz", "readyz", "metrics"]

    private let segments: [Segment]

    /// Indicates whether the path has a parameter.
    var hasParameters: Bool { segments.contains { if case .parameter = $0 { true } else { false } } }

    /// Returns whether a request's path may belong to an application's route.
    static func isCustom(_ path: String) -> Bool {
        // An escaped segment could become a reserved name after unescaping.
        guard let first = path.split(separator: "/", omittingEmptySubsequences: true).first,
            first.utf8.allSatisfy(isUnreserved)
        else { return false }
        return !reserved.contains(String(first))
    }

    /// Validates a path.
    ///
    /// - Throws: ``RouteError``.
    init(_ path: String) throws(RouteError) {
        guard path.hasPrefix("/") else { throw RouteError(path: path, "does not begin with a slash.") }
        var segments: [Segment] = []
        for text in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.segment(String(text), of: path))
        }
        guard case .literal(let first)? = segments.first else {
            throw RouteError(
                path: path, "begins with a parameter, which would take the admin's own pages. Begin with a name.")
        }
        guard !Self.reserved.contains(first) else {
            throw RouteError(
                path: path, "is below /\(first), which the admin has for itself. Choose another first name.")
        }
        let parameters = segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        guard Set(parameters).count == parameters.count else {
            throw RouteError(path: path, "names a parameter twice. Give each its own name.")
        }
        self.segments = segments
    }

    /// The path without the names of its parameters. Two routes of the same shape would match the same requests.
    var shape: String {
        segments.map { if case .literal(let text) = $0 { "/\(text)" } else { "/{}" } }.joined()
    }

    private static func segment(_ text: String, of path: String) throws(RouteError) -> Segment {
        if text.hasPrefix("{"), text.hasSuffix("}") {
            let name = String(text.dropFirst().dropLast())
            guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
                throw RouteError(path: path, "has a parameter without a name of letters and digits, such as {id}.")
            }
            return .parameter(name)
        }
        guard !text.isEmpty, text != ".", text != "..", text.utf8.allSatisfy(isUnreserved) else {
            throw RouteError(
                path: path, "has a segment that is empty or needs escaping. Use letters, digits and -._~ only.")
        }
        return .literal(text)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns whether the byte is an unreserved character of RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
    }
}

/// An error in the declaration of an application's routes, found when the application starts.
struct RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    init(path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    var description: String { "The route \(path) \(reason)" }
}
