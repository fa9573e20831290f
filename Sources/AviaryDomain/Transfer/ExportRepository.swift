package import Foundation

/// A repository that exports the records of a model as text, from one committed state of the store.
package protocol ExportRepository: Sendable {
    /// Writes the records while the store continues to work. The values never include secrets.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - query: The conditions and the order of the records.
    ///   - format: The format of the file.
    ///   - destination: The destination of the export.
    ///   - progress: A closure that is called from time to time with the number of records that are written.
    func export(
        _ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary

    /// Writes entries of the history, the oldest first, while the store continues to work. The values never include
    /// secrets.
    func exportHistory(
        _ query: HistoryExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary
}

/// The conditions of the history entries to export. A condition that is nil includes all entries.
package struct HistoryExportQuery: Sendable, Hashable {
    package var model: String?
    /// The name of the author of the commits.
    package var account: String?
    package var since: Date?
    /// The number of the commit after which the entries begin.
    package var sinceCommit: Int64?
    /// The end of the period, which is exclusive.
    package var until: Date?

    package init(
        model: String? = nil, account: String? = nil, since: Date? = nil, sinceCommit: Int64? = nil,
        until: Date? = nil
    ) {
        self.sinceCommit = sinceCommit
        self.model = model
        self.account = account
        self.since = since
        self.until = until
    }
}

extension ExportRepository {
    /// Exports all records, sorted by id.
    package func export(
        _ model: ModelSchema, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await export(model, ExportQuery(), as: format, to: destination, progress: progress)
    }
}

package enum ExportDestination: Sendable, Hashable {
    /// A new file, which appears when it is complete. An existing file is never overwritten.
    case file(String)
    case standardOutput
}

/// The result of an export.
package struct ExportSummary: Sendable, Hashable, Codable {
    package let model: String
    package let records: Int
    /// The number of the commit whose state was exported.
    package let commit: Int64
    /// The path of the file; nil for standard output.
    package let path: String?
    /// The number of records that were deleted since a commit; nil for an export of all records.
    package let deleted: Int?

    package init(model: String, records: Int, commit: Int64, path: String?, deleted: Int? = nil) {
        self.deleted = deleted
        self.model = model
        self.records = records
        self.commit = commit
        self.path = path
    }
}

/// The conditions and the order of the records to export.
package struct ExportQuery: Sendable, Hashable {
    /// The conditions, all of which the records fulfil; empty for all records.
    package let conditions: [QueryExpression]
    /// The order of the records; nil to sort by id.
    package let order: ListOrder?
    /// The names of the properties that are not exported.
    package var leavingOut: Set<String>
    /// The number of the commit since which the records were changed, linked or deleted; nil for all records.
    package var sinceCommit: Int64?

    package init(conditions: [QueryExpression] = [], order: ListOrder? = nil, leavingOut: Set<String> = []) {
        self.conditions = conditions
        self.order = order
        self.leavingOut = leavingOut
    }
}

/// The reason why the records that changed since a commit are not known.
package enum ChangedRecordsError: Error, Sendable, Hashable {
    /// An error that occurs when the store has no commit with this number yet.
    case noSuchCommit(Int64, last: Int64)
    /// An error that occurs when the history does not contain all changes since the commit.
    case notInHistory(Int64)
    /// An error that occurs when no history is kept of the model.
    case noHistory(model: String)
}

extension ChangedRecordsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSuchCommit(let commit, let last):
            "There is no commit \(commit) yet; the last one is \(last). If a backup was restored into a new directory, export all records."
        case .notInHistory(let commit):
            "The history does not contain all changes since commit \(commit): it was trimmed, or a backup was restored. Export all records."
        case .noHistory(let model): "No history is kept of \(model). Export all records."
        }
    }
}

/// A service that exports records for a page.
///
/// It reads all records from one snapshot of the store into a file. A slow client then holds no snapshot.
package protocol ListExport: Sendable {
    /// Exports the records into a temporary file.
    ///
    /// - Throws: ``ReadError``; ``ListExportError``.
    func file(of model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws -> TemporaryFile
}

package enum ListExportError: Error, Sendable, Hashable {
    /// An error that occurs when there is no space or permission for the file. The sentence gives the reason to the
    /// operator of the server.
    case unwritable(String)
}

/// A temporary file that exists as long as this value or a copy of it.
package struct TemporaryFile: Sendable {
    package let path: String
    package let records: Int
    private let holder: any AnyObject & Sendable

    package init(path: String, records: Int, holder: any AnyObject & Sendable) {
        self.path = path
        self.records = records
        self.holder = holder
    }
}

/// The format of a file of exported records.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// RFC 4180 with a header line, as `import` and spreadsheets read it.
    case csv
    /// One JSON object per line.
    case jsonl
}

/// The properties of a model that an export writes, in their order.
package struct ExportedProperties: Sendable {
    package enum Source: Sendable, Hashable {
        /// The value at an index of the model's stored properties.
        case value(index: Int)
        /// The links of a many-to-many property.
        case links
    }

    package let all: [(property: PropertySchema, source: Source)]

    /// Creates the list of a model's properties to export.
    ///
    /// In CSV, only the model that declares a relation contains its links, so that the models can be imported one after
    /// the other.
    ///
    /// - Parameter hidden: The names of properties that are left out.
    package init(
        of model: ModelSchema, in schema: Schema, as format: ExportFormat, leavingOut hidden: Set<String> = []
    ) {
        all = model.properties.compactMap { property in
            guard !property.isSecret, !hidden.contains(property.name) else { return nil }
            if let index = model.storedIndex(of: property.name) { return (property, .value(index: index)) }
            guard let link = schema.link(property.name, of: model.name), format == .jsonl || !link.isInverse else {
                return nil
            }
            return (property, .links)
        }
    }
}
