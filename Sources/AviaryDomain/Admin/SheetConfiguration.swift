/// The layout of the sheet of one model, by the names of its fields.
package struct SheetConfiguration: Sendable {
    /// A group of fields with a common title.
    package struct Section: Sendable, Hashable {
        /// The title of the section; nil for the fields that no section names.
        package var title: String? { englishTitle?.translated }
        private let englishTitle: String?
        package let fields: [String]

        package init(title: String?, fields: [String]) {
            englishTitle = title
            self.fields = fields
        }

        fileprivate func without(_ hidden: Set<String>) -> Section {
            Section(title: englishTitle, fields: fields.filter { !hidden.contains($0) })
        }
    }

    package var sections: [Section] = []
    /// The help texts that come before the hint of the field's type and rules, by field name.
    package var help: [String: String] = [:]
    /// The properties that the sheet shows but does not set.
    package var readOnly: Set<String> = []
    /// The properties that the sheet does not contain.
    package var hidden: Set<String> = []
    /// The computed values, which are shown and not stored, with the names that represent them, in the order of
    /// declaration.
    package var computed: [(name: String, column: ComputedColumn)] = []
    package var widgets: [String: SheetWidget] = [:]
    /// The records of another model that are edited in this model's sheet.
    package var rows: [ChildRows] = []

    package init() {}

    /// Indicates whether a form may set the property.
    package func isEditable(_ property: String) -> Bool { !readOnly.contains(property) }

    /// Returns the sheet for a principal.
    ///
    /// A relation to a model that the principal may not view stays in the layout, so that the sheet can say that it
    /// exists.
    package func seen(by principal: Principal, of schema: ModelSchema) -> SheetConfiguration {
        var copy = self
        copy.hidden.formUnion(schema.properties.map(\.name).filter { principal.role.hides($0, of: schema.name) })
        copy.readOnly.formUnion(copy.hidden)
        copy.readOnly.formUnion(
            schema.properties.filter { principal.maySee($0.name, of: schema) && !principal.maySet($0.name, of: schema) }
                .map(\.name))
        copy.rows.removeAll { copy.hidden.contains($0.property) }
        return copy
    }

    package func isHidden(_ property: String) -> Bool { hidden.contains(property) }

    package func rows(_ property: String) -> ChildRows? { rows.first { $0.property == property } }

    package func computed(_ name: String) -> ComputedColumn? { computed.first { $0.name == name }?.column }

    /// Returns all fields of the sheet: first the fields that no section names, then the sections as declared.
    ///
    /// Rows that no section names come last, because they would push the sections down.
    package func layout(of schema: ModelSchema) -> [Section] {
        let all = schema.properties.map(\.name) + computed.map(\.name)
        let named = Set(sections.flatMap(\.fields))
        let unnamed = all.filter { !named.contains($0) && !hidden.contains($0) }
        let lists = sections.isEmpty ? [] : unnamed.filter { rows($0) != nil }
        let rest = unnamed.filter { !lists.contains($0) }
        let shown = hidden.isEmpty ? sections : sections.map { $0.without(hidden) }.filter { !$0.fields.isEmpty }
        return (rest.isEmpty ? [] : [Section(title: nil, fields: rest)]) + shown
            + (lists.isEmpty ? [] : [Section(title: nil, fields: lists)])
    }
}

/// Records that refer to the record in a sheet and are edited there, such as the copies of a book.
package struct ChildRows: Sendable {
    /// The to-many property of the model in the sheet.
    package let property: String
    /// The model of the rows.
    package let schema: ModelSchema
    /// The name of the property that refers to the record in the sheet.
    package let reference: String
    /// The names of the fields, from left to right.
    package let fields: [String]

    package init(property: String, schema: ModelSchema, reference: String, fields: [String]) {
        self.property = property
        self.schema = schema
        self.reference = reference
        self.fields = fields
    }
}

/// A control for a property in the sheet, used instead of the default control of its type.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .widget(\.notes, .longText)
///     .widget(\.diet, .select)
/// ```
///
/// A widget that does not fit its property, such as `.segments` for a number, is a ``SchemaError`` when the application
/// starts.
public enum SheetWidget: String, Sendable, Hashable, CaseIterable {
    /// A text field with one line, for strings.
    case text
    /// A text area with several lines, for strings.
    case longText
    /// A segmented control that shows all choices side by side: for choices, and for a `Bool?`.
    case segments
    /// A menu: for choices, and for references to few records. It lists the first 500 records by their titles.
    case select
    /// A field that searches on the server: for references, even to millions of records.
    case search
}

extension SheetWidget {
    /// Returns the types that the widget is for when it does not fit the property; nil when it fits.
    package func validationProblem(_ property: PropertySchema) -> String? {
        switch (self, property.type) {
        case (.text, .string), (.longText, .string): property.isSecret ? "texts that are shown" : nil
        case (.text, _), (.longText, _): "texts"
        case (.segments, .choice), (.segments, .integerChoice): nil
        case (.segments, .boolean): property.isOptional ? nil : "choices and Bool?"
        case (.segments, _): "choices and Bool?"
        case (.select, .choice), (.select, .integerChoice), (.select, .toOne): nil
        case (.select, _): "choices and references"
        case (.search, .toOne): nil
        case (.search, _): "references"
        }
    }
}
