/// Builds the list in ``AviaryApp/saveHooks``.
@resultBuilder
public enum SaveHookBuilder {
    public static func buildExpression(_ hook: SaveHook) -> [SaveHook] { [hook] }
    public static func buildExpression(_ hooks: [SaveHook]) -> [SaveHook] { hooks }
    public static func buildBlock(_ parts: [SaveHook]...) -> [SaveHook] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [SaveHook]?) -> [SaveHook] { part ?? [] }
    public static func buildEither(first part: [SaveHook]) -> [SaveHook] { part }
    public static func buildEither(second part: [SaveHook]) -> [SaveHook] { part }
    public static func buildArray(_ parts: [[SaveHook]]) -> [SaveHook] { parts.flatMap(\.self) }
}
