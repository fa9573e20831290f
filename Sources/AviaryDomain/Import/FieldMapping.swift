/// The assignment of a CSV file's columns to properties.
package struct FieldMapping: Sendable, Hashable {
    package let property: String
    package let column: String

    package init(property: String, column: String) {
        self.property = property
        self.column = column
    }

    /// Reads `property=Column`, such as `name=Individual ID`. A column's name may hold further equals signs.
    ///
    /// - Throws: ``ImportError/malformedMapping``.
    package init(parsing text: String) throws(ImportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformedMapping }
        self.init(property: String(parts[0]), column: String(parts[1]))
    }
}
