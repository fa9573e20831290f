import AviaryDomain

/// The unchecked declarations of a sheet in ``ModelAdmin``, in their order.
struct SheetDeclarations: Sendable {
    typealias Path = any AnyKeyPath & Sendable

    struct Rows: Sendable {
        let keyPath: Path
        let child: String
        let fields: [Path]
    }

    var sections: [(title: String, fields: [Path])] = []
    var labels: [(keyPath: Path, text: String)] = []
    var help: [(keyPath: Path, text: String)] = []
    var readOnly: [Path] = []
    var hidden: [Path] = []
    var computed: [(keyPath: Path, column: ComputedColumn)] = []
    var widgets: [(keyPath: Path, widget: SheetWidget)] = []
    var rows: [Rows] = []

    /// Returns the labels of properties by name. The check of the declarations reports invalid key paths.
    func labels(of schema: ModelSchema) -> [String: String] {
        Dictionary(
            labels.compactMap { label in schema.property(at: label.keyPath).map { ($0.name, label.text) } },
            uniquingKeysWith: { _, last in last }
        )
    }
    /// Returns the names of the read-only properties. The check of the declarations reports invalid key paths.
    func readOnlyNames(of schema: ModelSchema) -> Set<String> {
        Set(readOnly.compactMap { schema.property(at: $0)?.name })
    }
}

extension SheetConfiguration {
    /// Creates the configuration of a model's sheet from checked declarations.
    ///
    /// - Throws: `SchemaError` that names the property and the correction.
    init(_ declared: SheetDeclarations, of model: ModelSchema, in schema: Schema) throws(SchemaError) {
        self.init()
        var errors = SchemaErrors()
        errors.collect { () throws(SchemaError) in try Self.checkLabels(declared, of: model) }
        for (index, field) in declared.computed.enumerated() {
            guard model.property(at: field.keyPath) == nil else {
                errors.add(
                    SchemaError(
                        model: model.name,
                        "has the computed field “\(field.column.title)”, which is stored. Remove .computed: the sheet has it already."
                    ))
                continue
            }
            // A property's name never contains a dot.
            computed.append((name: "computed.\(index)", column: field.column))
        }
        for item in declared.help {
            let property = errors.collect { () throws(SchemaError) in
                try Self.property(item.keyPath, of: model, in: ".help")
            }
            if let property { help[property.name] = item.text }
        }
        for keyPath in declared.readOnly {
            errors.collect { () throws(SchemaError) in try addReadOnly(keyPath, of: model) }
        }
        for keyPath in declared.hidden {
            errors.collect { () throws(SchemaError) in try addHidden(keyPath, declared, of: model) }
        }
        for item in declared.widgets {
            errors.collect { () throws(SchemaError) in try addWidget(item.widget, at: item.keyPath, of: model) }
        }
        for item in declared.rows {
            errors.collect { () throws(SchemaError) in try addRows(item, of: model, in: schema) }
        }
        errors.collect { () throws(SchemaError) in try addSections(declared, of: model) }
        try errors.check()
    }

    private mutating func addWidget(
        _ widget: SheetWidget, at keyPath: SheetDeclarations.Path, of model: ModelSchema
    ) throws(SchemaError) {
        let property = try Self.property(keyPath, of: model, in: ".widget")
        if let kind = widget.validationProblem(property) {
            throw SchemaError(
                model: model.name, property: property.name,
                "has the widget .\(widget.rawValue), which is for \(kind). Remove it.")
        }
        widgets[property.name] = widget
    }

    private static func checkLabels(_ declared: SheetDeclarations, of model: ModelSchema) throws(SchemaError) {
        for item in declared.labels {
            let property = try property(item.keyPath, of: model, in: ".label")
            guard !item.text.isBlank else {
                throw SchemaError(
                    model: model.name, property: property.name, "has an empty label. Give it words, or remove .label.")
            }
            let other = model.properties.first {
                $0.name != property.name && $0.label.lowercased() == item.text.lowercased()
            }
            if let other {
                throw SchemaError(
                    model: model.name, property: property.name,
                    "has the same label as \(other.name). Give each a label of its own.")
            }
        }
    }

    private mutating func addReadOnly(_ keyPath: SheetDeclarations.Path, of model: ModelSchema) throws(SchemaError) {
        let property = try Self.property(keyPath, of: model, in: ".readOnly")
        guard !property.isSecret else {
            throw SchemaError(
                model: model.name, property: property.name,
                "is .secret and read-only: it would be neither seen nor set. Remove .readOnly.")
        }
        if property.type.isStored, property.isRequired, property.makeDefault == nil {
            throw SchemaError(
                model: model.name, property: property.name,
                "is read-only and must have a value, but has no default: no record could be added. Give it a default, or remove .readOnly."
            )
        }
        readOnly.insert(property.name)
    }

    private mutating func addHidden(
        _ keyPath: SheetDeclarations.Path, _ declared: SheetDeclarations, of model: ModelSchema
    ) throws(SchemaError) {
        let property = try Self.property(keyPath, of: model, in: ".hidden")
        if property.type.isStored, property.isRequired, property.makeDefault == nil {
            throw SchemaError(
                model: model.name, property: property.name,
                "is hidden and must have a value, but has no default: no record could be added. Give it a default, or remove .hidden."
            )
        }
        let shown = declared.sections.flatMap(\.fields) + declared.rows.map(\.keyPath)
        guard !shown.contains(where: { $0 as AnyKeyPath == keyPath as AnyKeyPath }) else {
            throw SchemaError(
                model: model.name, property: property.name,
                "is hidden and in a .section or .inline. Remove one of the two.")
        }
        hidden.insert(property.name)
    }

    private mutating func addRows(
        _ declared: SheetDeclarations.Rows, of model: ModelSchema, in schema: Schema
    ) throws(SchemaError) {
        let property = try Self.property(declared.keyPath, of: model, in: ".inline")
        guard let child = schema.model(declared.child),
            let key = schema.foreignKeys(to: model.name).first(where: {
                $0.model == child.name && $0.inverse == property.name
            })
        else {
            throw SchemaError(
                model: model.name, property: property.name,
                "is shown inline, but its other side is no reference. Remove .inline: a many-to-many relation has a picker."
            )
        }
        guard rows(property.name) == nil else {
            throw SchemaError(model: model.name, property: property.name, "is inline twice. Keep one.")
        }
        var fields: [String] = []
        for keyPath in declared.fields {
            let field = try Self.property(keyPath, of: child, in: ".inline")
            guard field.type.isStored, !field.isSecret, field.name != key.property else {
                throw SchemaError(
                    model: child.name, property: field.name,
                    "cannot be in a row of \(model.name): rows have what is stored there, no secrets, and not the reference back. Leave it out."
                )
            }
            fields.append(field.name)
        }
        let others = child.storedProperties.filter { $0.name != key.property }
        if fields.isEmpty { fields = others.filter { !$0.isSecret }.map(\.name) }
        if let missing = others.first(where: { $0.isRequired && $0.makeDefault == nil && !fields.contains($0.name) }) {
            throw SchemaError(
                model: child.name, property: missing.name,
                "must have a value and is in no row of \(model.name).\(property.name): no row could be added. Add it to .inline."
            )
        }
        rows.append(ChildRows(property: property.name, schema: child, reference: key.property, fields: fields))
    }

    private mutating func addSections(_ declared: SheetDeclarations, of model: ModelSchema) throws(SchemaError) {
        var taken: Set<String> = []
        for section in declared.sections {
            var names: [String] = []
            for keyPath in section.fields {
                let isComputed = declared.computed.firstIndex { ($0.keyPath as AnyKeyPath) == keyPath as AnyKeyPath }
                let name =
                    if let isComputed { "computed.\(isComputed)" } else {
                        try Self.property(keyPath, of: model, in: ".section").name
                    }
                guard taken.insert(name).inserted else {
                    throw SchemaError(
                        model: model.name, property: name, "is in two sections, or twice in one. Keep one.")
                }
                names.append(name)
            }
            guard !section.title.isBlank, !names.isEmpty else {
                throw SchemaError(
                    model: model.name, "has a section without a title or without fields. Give it both, or remove it.")
            }
            sections.append(Section(title: section.title, fields: names))
        }
    }

    private static func property(
        _ keyPath: SheetDeclarations.Path, of model: ModelSchema, in modifier: String
    ) throws(SchemaError) -> PropertySchema {
        guard let property = model.property(at: keyPath) else {
            throw SchemaError(
                model: model.name,
                "has a \(modifier) for what is no property of it. Name its own properties; a computed one is declared with .computed(\\.age, \"Age\")."
            )
        }
        return property
    }
}
