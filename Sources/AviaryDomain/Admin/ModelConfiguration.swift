/// How the admin shows one model.
package struct ModelConfiguration: Sendable {
    package let schema: ModelSchema
    /// The list's columns, by property name.
    package let columns: [String]

    package init(schema: ModelSchema, columns: [String]) {
        self.schema = schema
        self.columns = columns
    }

    /// The columns that a list may be sorted by: those with one comparable value of their own. Each gets an index.
    package var sortableColumns: [String] {
        columns.filter { name in
            switch schema.property(name)?.type {
            case .string, .boolean, .integer, .double, .date, .calendarDate, .uuid, .choice: true
            case .toOne, .toMany, nil: false
            }
        }
    }

    package var defaultSort: ListOrder? {
        sortableColumns.first.map { ListOrder(property: $0, direction: .ascending) }
    }
}
