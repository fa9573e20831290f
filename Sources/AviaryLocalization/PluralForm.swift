/// The forms that languages have for numbers of things, as Unicode names them. Most have `one` and `other`.
public enum PluralForm: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other
}
