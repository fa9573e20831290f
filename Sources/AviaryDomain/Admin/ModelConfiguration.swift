package import Foundation

/// The configuration of the admin for one model.
package struct ModelConfiguration: Sendable {
    package let schema: ModelSchema
    /// The names of the properties that are the columns of the list.
    package let columns: [String]
    /// The columns without a property, by the names that represent them.
    package let computedColumns: [String: ComputedColumn]
    /// The titles of columns that differ from the names of their properties.
    private let titles: [String: String]
    /// The formats of values that differ from the format of their type, by property name.
    package let formats: [String: CellFormat]
    /// The texts that a search includes.
    package let searched: [PropertySchema]
    /// The references that a search includes, by the titles of the other records.
    package var searchedReferences: [SearchedReference] = []
    /// The filters of the list.
    package let filters: [ListFilter]
    /// The actions on many records at once.
    package let actions: [BulkAction]
    /// The initial order of the list; nil for the order of its first column.
    private let ordering: ListOrder?
    /// The heading in the navigation over the model and those of the same group; nil for none.
    package var group: String?
    /// The layout of the model's sheet.
    package var sheet = SheetConfiguration()

    package init(
        schema: ModelSchema, columns: [String], computedColumns: [String: ComputedColumn] = [:],
        titles: [String: String] = [:],
        formats: [String: CellFormat] = [:], searched: [PropertySchema] = [], filters: [ListFilter] = [],
        actions: [BulkAction] = [], ordering: ListOrder? = nil
    ) {
        self.schema = schema
        self.columns = columns
        self.computedColumns = computedColumns
        self.titles = titles
        self.formats = formats
        self.searched = searched
        self.filters = filters
        self.actions = actions
        self.ordering = ordering
    }

    /// Returns the configuration for a principal, without the columns, search, filters and order of hidden
    /// properties.
    ///
    /// Columns whose text comes from a closure of the application stay.
    package func seen(by principal: Principal) -> ModelConfiguration {
        let hidden = principal.hiddenProperties(of: schema)
        let sheet = sheet.seen(by: principal, of: schema)
        guard !hidden.isEmpty else {
            var copy = self
            copy.sheet = sheet
            return copy
        }
        var columns = columns.filter { !hidden.contains($0) }
        // No role can hide the title, by which people know the records.
        if columns.isEmpty, let title = schema.titleProperty { columns = [title.name] }
        var copy = ModelConfiguration(
            schema: schema, columns: columns, computedColumns: computedColumns, titles: titles, formats: formats,
            searched: searched.filter { !hidden.contains($0.name) },
            filters: filters.filter { !hidden.contains($0.property) }, actions: actions,
            ordering: ordering.flatMap { hidden.contains($0.property) ? nil : $0 }
        )
        copy.group = group
        copy.sheet = sheet
        copy.searchedReferences = searchedReferences.filter { !hidden.contains($0.property.name) }
        guard copy.defaultSort == nil else { return copy }
        return copy.ordered(by: ListOrder(property: "id", direction: .ascending))
    }

    private func ordered(by ordering: ListOrder) -> ModelConfiguration {
        var copy = ModelConfiguration(
            schema: schema, columns: columns, computedColumns: computedColumns, titles: titles, formats: formats,
            searched: searched, filters: filters, actions: actions, ordering: ordering
        )
        copy.group = group
        copy.sheet = sheet
        copy.searchedReferences = searchedReferences
        return copy
    }

    /// Returns the title of a column.
    package func title(ofColumn name: String) -> String {
        titles[name]?.translated ?? computedColumns[name]?.title ?? schema.property(name)?.label ?? name
    }

    /// The columns that a list can be sorted by: those with one comparable value of their own. Each gets an index.
    package var sortableColumns: [String] {
        let sortable = columns.filter { schema.property($0)?.type.isSortable ?? false }
        guard let ordering, !sortable.contains(ordering.property) else { return sortable }
        return sortable + [ordering.property]
    }

    /// The names of the properties that need an index: the sortable columns, properties searched by prefix, and
    /// filters.
    package var indexedProperties: [String] {
        let found = sortableColumns + searchedByPrefix.map(\.name) + filters.map(\.property)
        var seen: Set<String> = []
        return found.filter { schema.property($0)?.type.isSortable ?? false && seen.insert($0).inserted }
    }

    package var defaultSort: ListOrder? {
        ordering ?? sortableColumns.first.map { ListOrder(property: $0, direction: .ascending) }
    }

    package func filter(_ property: String) -> ListFilter? {
        filters.first { $0.property == property }
    }

    package func action(_ name: String) -> BulkAction? {
        actions.first { $0.name == name }
    }
}

extension ModelConfiguration {
    /// Indicates whether the list has a search.
    package var isSearchable: Bool { !searched.isEmpty || !searchedReferences.isEmpty }

    /// The searched properties with a text index, in which each word is found anywhere.
    package var searchedAnywhere: [PropertySchema] { searched.filter(schema.hasTextIndex) }

    /// The searched properties without a text index, of which only the beginning is searched.
    package var searchedByPrefix: [PropertySchema] { searched.filter { !schema.hasTextIndex($0) } }

    /// Returns the condition of the records that a search finds, or nil for a search without words.
    ///
    /// Each word occurs in one of the properties with a text index or in the title of a referenced record, or one of the
    /// other searched properties begins with the whole search text.
    package func searchCondition(for search: String) -> QueryExpression? {
        let text = search.trimmed
        guard !text.isEmpty, isSearchable else { return nil }
        let words = searchedAnywhere
        var ways = searchedByPrefix.map { QueryExpression.starts(property: $0.name, withSpellingsOf: text) }
        if searchedReferences.isEmpty {
            if !words.isEmpty { ways.append(schema.searchExpression(for: text, in: words)) }
        } else {
            ways.append(
                .all(
                    text.split(whereSeparator: \.isWhitespace).map { word in
                        .any(
                            (words.isEmpty ? [] : [schema.searchExpression(for: String(word), in: words)])
                                + searchedReferences.map { $0.condition(for: String(word)) })
                    }))
        }
        return .any(ways)
    }
}

/// A reference by which a list is searched.
package struct SearchedReference: Sendable {
    package let property: PropertySchema
    private let model: ModelSchema
    /// The texts of the other model in which words are searched: those in the titles of its records, or all of them when
    /// a closure returns the titles, because nobody knows which it reads.
    package let texts: [PropertySchema]

    /// Creates the search of a reference; nil for another property, and for a model whose titles have no text.
    ///
    /// - Parameter schema: The models of the application.
    package init?(_ property: PropertySchema, in schema: Schema) {
        guard case .toOne(let name) = property.type, let model = schema.model(name) else { return nil }
        texts = model.titleParts.filter { $0.type == .string && !$0.isSecret }
        guard !texts.isEmpty else { return nil }
        self.property = property
        self.model = model
    }

    fileprivate func condition(for word: String) -> QueryExpression {
        // The commas of a composed title belong to no word of a value.
        let bare = word.trimmingCharacters(in: .punctuationCharacters)
        return .related(
            .reference(property: property.name, RelatedModel(model)),
            where: model.searchExpression(for: bare.isEmpty ? word : bare, in: texts))
    }
}

extension String {
    fileprivate var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}

/// A column of a list that is not stored. Its value is computed from each record that a page shows.
package struct ComputedColumn: Sendable {
    /// Access to the records of the application's models.
    package typealias RecordSource = @Sendable (ModelSchema) -> any ModelRecords

    package var title: String { englishTitle.translated }
    private let englishTitle: String
    /// The property whose type determines how values are shown. The model has no property of its name.
    package let property: PropertySchema
    package let value: @Sendable (Record) -> FieldValue
    /// A closure that returns the values of all records on a page together; nil for a column whose ``value`` depends on
    /// its own record alone.
    package let values: (@Sendable ([Record], @escaping RecordSource) async throws -> [UUID: FieldValue])?

    package init<M: Model, Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, title: String) {
        englishTitle = title
        property = PropertyDefinition(keyPath, title).property
        let scale = property.type.scale
        values = nil
        value = { record in
            // A record that cannot be decoded still shows its other columns.
            guard let model = try? M(record) else { return .null }
            return model[keyPath: keyPath].fieldValue(scale: scale)
        }
    }

    /// Creates a column with the texts of a closure, which is called once for each record that a page shows.
    package init<M: Model>(title: String, _ text: @escaping @Sendable (M) -> String) {
        englishTitle = title
        property = PropertySchema(
            name: title, type: .string, isOptional: false, attributes: [], keyPath: \M.id, relationship: nil,
            makeDefault: nil
        )
        values = nil
        value = { record in
            // A record that cannot be decoded still shows its other columns.
            guard let model = try? M(record) else { return .null }
            return .text(text(model))
        }
    }

    /// Creates a column with the values of a closure, which is called once for all records of a page.
    package init<M: Model, Value: StoredValue>(
        title: String, _ make: @escaping @Sendable ([M], @escaping RecordSource) async throws -> [M.ID: Value]
    ) {
        englishTitle = title
        let property = PropertySchema(
            name: title, type: Value.propertyType, isOptional: true, attributes: [], keyPath: \M.id, relationship: nil,
            makeDefault: nil, traits: Value.traits
        )
        self.property = property
        value = { _ in .null }
        values = { records, source in
            // A record that cannot be decoded still shows its other columns.
            let found = try await make(records.compactMap { try? M($0) }, source)
            return Dictionary(
                found.map { ($0.key.uuid, $0.value.fieldValue(scale: property.type.scale)) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}

/// The format that an application sets for the values of a column.
package struct CellFormat: Sendable {
    /// A closure that returns the text of a value; nil for a value that the type does not accept.
    package let text: @Sendable (FieldValue) -> String?

    package init<Value: StoredValue>(_ property: PropertySchema, _ format: @escaping @Sendable (Value) -> String) {
        let scale = property.type.scale
        text = { stored in
            // A value that cannot be decoded is shown as it is stored.
            guard let value = try? Value.isScaled ? Value(fieldValue: stored, scale: scale) : Value(fieldValue: stored)
            else { return nil }
            return format(value)
        }
    }
}

/// An action of an application on many records at once.
package struct BulkAction: Sendable {
    /// The name of the action in URLs: `mark-as-fed`.
    package let name: String
    package var title: String { englishTitle.translated }
    private let englishTitle: String
    /// The action on the model's records that the principal's role must allow.
    package let permission: ModelAction
    /// A closure that returns the changes to store.
    private let make: @Sendable ([UUID], any ModelRecords, String) async throws -> [Change]

    package init<M: Model>(
        _ title: String, permission: ModelAction,
        _ make: @escaping @Sendable ([M.ID], Repository<M>) async throws -> [Change]
    ) {
        englishTitle = title
        self.permission = permission
        name = Self.name(title)
        self.make = { ids, records, author in
            try await make(ids.map { RecordID($0) }, Repository<M>(records, author: author))
        }
    }

    /// Returns the change set of the action for some records.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - records: The records of the model.
    ///   - changeSet: The id of the change set, which makes a retry idempotent.
    ///   - author: The author of the change set.
    package func changeSet(
        for ids: [UUID], of records: any ModelRecords, as changeSet: UUID, author: String
    ) async throws -> ChangeSet {
        ChangeSet(id: changeSet, author: author, changes: try await make(ids, records, author))
    }

    private static func name(_ title: String) -> String {
        title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }
}

/// An error of an application's own action, with a reason to show to the user.
package protocol ActionError: Error {
    var reason: String { get }
}

/// The paths of one model's pages in the admin.
package struct ModelPaths: Sendable, Hashable {
    package static let admin = "/admin"

    package let list: String

    package init(_ model: ModelSchema) {
        list = Self.admin + "/" + model.slug
    }

    /// The path of the sheet that continues the newest draft of a new record, or else is empty.
    package var new: String { list + "/new" }

    /// Returns the address of an empty sheet, also while drafts of new records wait.
    ///
    /// - Parameter query: The part of the list to return to.
    package func startingOver(_ query: String = "") -> String {
        new.withQuery(query.isEmpty ? Self.startOver : Self.startOver + "&" + query)
    }

    private static let startOver = "fresh=1"

    package var keepDraft: String { list + "/draft" }
    package var discardDraft: String { list + "/draft/discard" }
    package var reopenDraft: String { list + "/draft/reopen" }
    /// The path at which scripts request the choices of a picker.
    package var choices: String { list + "/choices" }
    package var delete: String { list + "/delete" }
    package var batch: String { list + "/batch" }
    package var columns: String { list + "/columns" }
    package var export: String { list + "/export" }
    package var importing: String { list + "/import" }

    package func importing(_ file: String) -> String { importing + "/" + file }

    package func record(_ id: UUID) -> String {
        list + "/" + id.canonicalText
    }
}

extension String {
    /// Returns the path with a query if the query is not empty.
    package func withQuery(_ query: String) -> String {
        query.isEmpty ? self : self + "?" + query
    }
}
