package import Foundation

/// What an import would store: all of a file, or a batch of it.
package struct ImportPlan: Sendable, Hashable {
    /// Related records that are made first, then what becomes of the lines, then the links of many-to-many properties.
    package let changes: [Change]
    package let report: ImportReport

    init(related: [Change], records: [Change], links: [Change] = [], report: ImportReport) {
        changes = related + records + links
        self.report = report
    }

    /// New records by model name.
    package var counts: [String: Int] { report.inserted }
    /// The records of the file, without its header.
    package var lineCount: Int { report.lineCount }

    /// What it has as one change set: it is stored whole or not at all.
    ///
    /// - Parameters:
    ///   - series: Of the import that it is a batch of.
    ///   - id: Of the change set that was sent with the same lines; nil where none was.
    package func changeSet(author: String, in series: ChangeSetSeries? = nil, as id: UUID? = nil) -> ChangeSet {
        ChangeSet(id: id ?? series?.changeSet([.version7()]) ?? .version7(), author: author, changes: changes)
    }
}
