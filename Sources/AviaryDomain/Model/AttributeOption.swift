/// What `@Attribute` can say of a property.
public enum AttributeOption: Sendable, Hashable {
    /// No two records hold the same value; a second one is refused, never overwritten.
    case unique
    /// A text must not be empty or only blanks; an optional must have a value.
    case required
}
