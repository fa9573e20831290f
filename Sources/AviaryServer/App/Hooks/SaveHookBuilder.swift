/// A result builder that builds the list in ``AviaryApp/saveHooks``.
@resultBuilder
public enum SaveHookBuilder {
    /// Builds a list from one hook.
    public static func buildExpression(_ hook: SaveHook) -> [SaveHook] { [hook] }
    /// Builds a list from a list of hooks.
    public static func buildExpression(_ hooks: [SaveHook]) -> [SaveHook] { hooks }
    /// Builds a list from the hooks of a block.
    public static func buildBlock(_ parts: [SaveHook]...) -> [SaveHook] { parts.flatMap(\.self) }
    /// Builds a list from an `if` without `else`.
    public static func buildOptional(_ part: [SaveHook]?) -> [SaveHook] { part ?? [] }
    /// Builds a list from the first branch of a condition.
    public static func buildEither(first part: [SaveHook]) -> [SaveHook] { part }
    /// Builds a list from the second branch of a condition.
    public static func buildEither(second part: [SaveHook]) -> [SaveHook] { part }
    /// Builds a list from a loop.
    public static func buildArray(_ parts: [[SaveHook]]) -> [SaveHook] { parts.flatMap(\.self) }
}
