/// Which end of an order a list begins with.
///
/// ```swift
/// ModelAdmin(Loan.self).ordering(\.due, .descending)
/// ```
public enum ListDirection: Sendable, Hashable {
    /// The least first: A before B, and no value before any.
    case ascending
    /// The greatest first.
    case descending
}
