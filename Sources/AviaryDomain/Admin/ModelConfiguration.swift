/// How the admin shows one model.
package struct ModelConfiguration: Sendable {
    package let schema: ModelSchema
    /// The list's columns, by property name.
    package let columns: [String]
    /// Those columns that are no property's, by the names that stand for them.
    package let computedColumns: [String: ComputedColumn]
    /// Those that are not headed by their property's name.
    private let titles: [String: String]

    package init(
        schema: ModelSchema, columns: [String], computedColumns: [String: ComputedColumn] = [:], titles: [String: String] = [:]
    ) {
        self.schema = schema
        self.columns = columns
        self.computedColumns = computedColumns
        self.titles = titles
    }

    /// What stands above the column.
    package func title(ofColumn name: String) -> String {
        titles[name] ?? computedColumns[name]?.title ?? schema.property(name)?.label ?? name
    }

    /// The columns that a list may be sorted by: those with one comparable value of their own. Each gets an index.
    package var sortableColumns: [String] {
        columns.filter { schema.property($0)?.type.isSortable ?? false }
    }

    package var defaultSort: ListOrder? {
        sortableColumns.first.map { ListOrder(property: $0, direction: .ascending) }
    }
}
