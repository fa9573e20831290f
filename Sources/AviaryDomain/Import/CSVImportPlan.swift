/// What an import would store.
package struct CSVImportPlan: Sendable, Hashable {
    /// Related records that are made first, then one record a line, then the links of many-to-many properties.
    package let changes: [Change]
    /// New records by model name.
    package let counts: [String: Int]
    /// The records of the file, without its header.
    package let lineCount: Int

    init(related: [Change], records: [Change], links: [Change] = []) {
        changes = related + records + links
        counts = Dictionary(grouping: related + records, by: \.model).mapValues(\.count)
        lineCount = records.count
    }

    /// The whole import as one change set: it is stored whole or not at all.
    package func changeSet(author: String) -> ChangeSet {
        ChangeSet(author: author, changes: changes)
    }
}
