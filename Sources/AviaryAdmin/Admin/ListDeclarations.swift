import AviaryDomain

/// The unchecked declarations of a list in ``ModelAdmin``, in their order.
struct ListDeclarations: Sendable {
    typealias Path = any AnyKeyPath & Sendable

    /// The declared columns, or nil for the standard columns.
    var columns: [AdminColumn]?
    /// The columns that follow ``columns``.
    var moreColumns: [AdminColumn] = []
    var formats: [(keyPath: Path, make: @Sendable (PropertySchema) -> CellFormat)] = []
    /// The declared search properties, or nil if the search uses the properties with a text index.
    var search: [Path]?
    var filters: [Path] = []
    var ordering: (keyPath: Path, direction: AviaryDomain.SortDirection)?
    var actions: [BulkAction] = []
}

/// A column as ``ModelAdmin`` declares it.
struct AdminColumn: Sendable {
    /// The key path of the value, or nil if a closure returns the column's text.
    var keyPath: (any AnyKeyPath & Sendable)?
    /// The title, or nil for the property's label.
    var title: String?
    /// The column's value if the key path is not a stored property; nil if no title was declared.
    var computed: ComputedColumn?
}

extension ModelConfiguration {
    /// Creates the configuration of a model's list from checked declarations.
    ///
    /// - Throws: `SchemaError` that names the property and the correction.
    init(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError) {
        var errors = SchemaErrors()
        let columns = errors.collect { () throws(SchemaError) in try Columns(declared, of: model) }
        var formats: [String: CellFormat] = [:]
        for format in declared.formats {
            let property = errors.collect { () throws(SchemaError) in
                try Self.property(format.keyPath, of: model, in: ".format")
            }
            if let property { formats[property.name] = format.make(property) }
        }
        let searched = errors.collect { () throws(SchemaError) in try Self.searched(declared, of: model) }
        let filters = errors.collect { () throws(SchemaError) in try Self.filters(declared, of: model) }
        let actions = errors.collect { () throws(SchemaError) in try Self.actions(declared, of: model) }
        let ordering = errors.collect { () throws(SchemaError) in try Self.ordering(declared, of: model) }
        try errors.check()
        self.init(
            schema: model, columns: columns?.names ?? [], computedColumns: columns?.computed ?? [:],
            titles: columns?.titles ?? [:], formats: formats, searched: searched ?? [], filters: filters ?? [],
            actions: actions ?? [], ordering: ordering ?? nil
        )
    }

    private static func searched(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError)
        -> [PropertySchema]
    {
        guard let paths = declared.search else { return model.searchedProperties }
        var properties: [PropertySchema] = []
        for path in paths {
            let property = try property(path, of: model, in: ".search")
            if case .toOne = property.type { continue }
            guard property.type == .string, !property.isSecret else {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "is searched, but is no text that is shown, and no reference. Leave it out of .search; .filters narrows a list by other values."
                )
            }
            properties.append(property)
        }
        return properties
    }

    /// Returns the references that a list's search includes.
    ///
    /// - Parameter schema: The models of the application.
    /// - Throws: `SchemaError` for a reference to records whose titles have no text.
    static func searchedReferences(
        _ declared: ListDeclarations, of model: ModelSchema, in schema: Schema
    ) throws(SchemaError) -> [SearchedReference] {
        var found: [SearchedReference] = []
        for path in declared.search ?? [] {
            guard let property = model.property(at: path), case .toOne(let other) = property.type else { continue }
            guard let reference = SearchedReference(property, in: schema) else {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "is searched, but the title of \(other) has no text. Leave it out of .search, or declare another ModelAdmin(\(other).self).title."
                )
            }
            found.append(reference)
        }
        return found
    }

    private static func filters(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError) -> [ListFilter]
    {
        var filters: [ListFilter] = []
        for keyPath in declared.filters {
            let property = try property(keyPath, of: model, in: ".filters")
            let path: RelationPath?
            if property.type.isStored {
                path = nil
            } else {
                do {
                    path = try model.relation(at: keyPath)
                } catch {
                    throw SchemaError(
                        model: model.name, property: property.name, "is a filter, but has no inverse. \(error.advice)")
                }
            }
            guard let filter = ListFilter(property, path: path) else {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "cannot be a filter: a list is filtered by choices, Bool, relations, dates and numbers, and by whether an optional value is there. Texts are searched: .search."
                )
            }
            guard !filters.contains(where: { $0.property == filter.property }) else {
                throw SchemaError(model: model.name, property: property.name, "is a filter twice. Keep one.")
            }
            filters.append(filter)
        }
        return filters
    }

    private static func ordering(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError) -> ListOrder?
    {
        guard let ordering = declared.ordering else { return nil }
        let property = try property(ordering.keyPath, of: model, in: ".ordering")
        guard property.type.isSortable, !property.isSecret else {
            throw SchemaError(
                model: model.name, property: property.name,
                "cannot order a list: it has no order that is shown. Choose a text, number, date, truth value or choice."
            )
        }
        return ListOrder(property: property.name, direction: ordering.direction)
    }

    private static func actions(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError) -> [BulkAction]
    {
        var names: Set<String> = []
        for action in declared.actions {
            guard !action.name.isEmpty, action.name != "delete", names.insert(action.name).inserted else {
                throw SchemaError(
                    model: model.name,
                    "has the action “\(action.title)” twice, or with a title that names nothing else. Give it another title, with letters in it."
                )
            }
        }
        return declared.actions
    }

    static func property(
        _ keyPath: ListDeclarations.Path, of model: ModelSchema, in modifier: String
    ) throws(SchemaError) -> PropertySchema {
        guard let property = model.property(at: keyPath) else {
            throw SchemaError(
                model: model.name, "has a \(modifier) for what is no property of it. Name its own properties.")
        }
        return property
    }
}

/// The columns of a list, by their names.
private struct Columns {
    var names: [String] = []
    var computed: [String: ComputedColumn] = [:]
    var titles: [String: String] = [:]

    private static let standardColumns = 4

    init(_ declared: ListDeclarations, of model: ModelSchema) throws(SchemaError) {
        if declared.columns == nil {
            names = model.storedProperties.filter { !$0.isSecret }.prefix(Self.standardColumns).map(\.name)
        }
        for column in (declared.columns ?? []) + declared.moreColumns {
            if let property = column.keyPath.flatMap({ model.property(at: $0) }) {
                guard !property.isSecret else {
                    throw SchemaError(
                        model: model.name, property: property.name,
                        "is .secret and a list column. Leave it out: a list would show it.")
                }
                names.append(property.name)
                titles[property.name] = column.title
            } else if let column = column.computed {
                // The title of another record is read together with the row that stores its reference.
                guard column.property.type.model == nil else {
                    throw SchemaError(
                        model: model.name,
                        "has the list column \(TextFormatter.quoted(column.title)), whose values are references. Return the titles of the records instead."
                    )
                }
                // A property's name never contains a dot.
                let name = "computed.\(computed.count)"
                computed[name] = column
                names.append(name)
            } else {
                throw SchemaError(
                    model: model.name,
                    "has a list column that is not stored. Columns are the model's own properties and its relations; a computed property is given with a title: .column(\"Age\", \\.age)."
                )
            }
        }
    }
}
