public import AviaryDomain

/// How the admin shows one model.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .columns(\.name, \.diet, \.category)
/// ```
public struct ModelAdmin<M: Model>: Admin {
    private var columnKeyPaths: [any AnyKeyPath & Sendable]?

    public init(_ model: M.Type) {}

    public var registrations: [ModelRegistration] {
        [ModelRegistration(schema: M.schema, columns: columnKeyPaths)]
    }

    /// The list's columns, from left to right. The first is the link to the record. A list can be sorted by each
    /// column but references; an index makes that quick.
    public func columns(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        var copy = self
        copy.columnKeyPaths = keyPaths.map { $0 as any AnyKeyPath & Sendable }
        return copy
    }

    /// The texts that the list's search looks in. Declared here from the start; the list has no search field yet.
    public func search(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin { self }

    /// What the list can be narrowed by. Declared here from the start; the list has no filters yet.
    public func filters(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin { self }
}
