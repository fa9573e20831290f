package import Foundation

/// The changes that an import would store, of a whole file or of a batch.
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

    /// Returns the plan as one change set, which is stored completely or not at all.
    ///
    /// - Parameters:
    ///   - series: The series of the import of which the plan is a batch.
    ///   - id: The id of the change set that was sent with the same lines; nil when none was sent.
    package func changeSet(author: String, in series: ChangeSetSeries? = nil, as id: UUID? = nil) -> ChangeSet {
        ChangeSet(id: id ?? series?.changeSet([.version7()]) ?? .version7(), author: author, changes: changes)
    }
}
