/// A statement's text that is used again and again. Connections find what they prepared for it by its identity: looking
/// up a long text takes as long as running a small statement.
package final class Query: Sendable {
    private let text: @Sendable (any SQLDialect) -> String

    /// Creates a query from a text that all engines understand, or that was made for one.
    init(_ sql: String) {
        text = { _ in sql }
    }

    /// - Parameter text: Called once by each connection that runs the query.
    init(_ text: @escaping @Sendable (any SQLDialect) -> String) {
        self.text = text
    }

    package func sql(_ dialect: any SQLDialect) -> String { text(dialect) }
}
