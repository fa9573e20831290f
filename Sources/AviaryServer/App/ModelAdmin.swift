public import AviaryDomain

/// How the admin shows one model.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .columns(\.name, \.diet, \.category)
///     .column(\.age, "Age")
/// ```
public struct ModelAdmin<M: Model>: Admin {
    private var columns: [AdminColumn]?
    private var moreColumns: [AdminColumn] = []

    public init(_ model: M.Type) {}

    public var registrations: [ModelRegistration] {
        [ModelRegistration(schema: M.schema, columns: columns, moreColumns: moreColumns)]
    }

    /// The list's columns, from left to right. The first is the link to the record. A list can be sorted by each
    /// column but references; an index makes that quick.
    public func columns(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        var copy = self
        copy.columns = keyPaths.map { AdminColumn(keyPath: $0) }
        return copy
    }

    /// One more column of the list, with a title of its own: a stored property, or one that is computed.
    ///
    /// ```swift
    /// extension Animal {
    ///     var age: Int? { born.map { CalendarDate.today.year - $0.year } }
    /// }
    ///
    /// ModelAdmin(Animal.self).columns(\.name, \.born).column(\.age, "Age")
    /// ```
    ///
    /// A computed property is worked out from each record that a page shows. It is not stored, so a list cannot be sorted by
    /// it. The columns stand behind those of ``columns(_:)``, or behind the standard ones.
    ///
    /// - Parameters:
    ///   - keyPath: To a property of any type that can be stored: a text, a number, a date, a `Bool`, a choice.
    ///   - title: What stands above the column.
    public func column<Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, _ title: String) -> ModelAdmin {
        var copy = self
        copy.moreColumns.append(
            AdminColumn(keyPath: keyPath, title: title, computed: ComputedColumn(keyPath, title: title))
        )
        return copy
    }

    /// The texts that the list's search looks in. Declared here from the start; the list has no search field yet.
    public func search(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin { self }

    /// What the list can be narrowed by. Declared here from the start; the list has no filters yet.
    public func filters(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin { self }
}
