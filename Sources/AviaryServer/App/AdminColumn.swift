import AviaryDomain

/// A column as ``ModelAdmin`` was told of it.
struct AdminColumn: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// Nil for the property's own name.
    var title: String?
    /// What it is when the key path leads to no stored property; nil where no title was given.
    var computed: ComputedColumn?
}
