/// Builds the list in ``AviaryApp/routes``.
@resultBuilder
public enum RouteBuilder {
    public static func buildExpression(_ route: Route) -> [Route] { [route] }
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Route]?) -> [Route] { part ?? [] }
    public static func buildEither(first part: [Route]) -> [Route] { part }
    public static func buildEither(second part: [Route]) -> [Route] { part }
    public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap(\.self) }
}
