/// A statement's text that is used again and again. Connections find what they prepared for it by its identity: looking
/// up a long text takes as long as running a small statement.
final class Query: Sendable {
    let sql: String

    init(_ sql: String) {
        self.sql = sql
    }
}
