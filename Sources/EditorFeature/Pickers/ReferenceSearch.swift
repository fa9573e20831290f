package import AviaryDomain

/// A to-one field whose records are too many for a menu.
package struct ReferenceSearch: Sendable {
    /// Whose records they are.
    let schema: ModelSchema
    /// What is chosen now, or was, and everything else that the page names.
    let shown: [RecordChoice]

    package init(schema: ModelSchema, shown: [RecordChoice]) {
        self.schema = schema
        self.shown = shown
    }

    /// By id.
    var titles: [String: String] {
        Dictionary(shown.map { ($0.id.canonicalText, $0.title) }, uniquingKeysWith: { first, _ in first })
    }
}
