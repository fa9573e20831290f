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
