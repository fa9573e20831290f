import AviaryDomain

/// A column as ``ModelAdmin`` was told of it.
struct AdminColumn: Sendable {
    /// Nil where a closure writes it.
    var keyPath: (any AnyKeyPath & Sendable)?
    /// Nil for the property's own name.
    var title: String?
    /// What it is when the key path leads to no stored property; nil where no title was given.
    var computed: ComputedColumn?
}
