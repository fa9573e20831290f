package import Foundation

/// The records of a model as text, of one committed point of the store.
package protocol ExportRepository: Sendable {
    /// Writes the records while the store goes on. Secrets are never among the values.
    ///
    /// - Parameters:
    ///   - progress: Called from time to time with how many records are written.
    func export(
        _ model: ModelSchema, _ query: ExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary

    /// Writes entries of the history, oldest first, while the store goes on. Secrets are never among the values.
    func exportHistory(
        _ query: HistoryExportQuery, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary
}

/// Which entries of the history are exported; nil asks for all.
package struct HistoryExportQuery: Sendable, Hashable {
    package var model: String?
    /// Who committed them.
    package var account: String?
    package var since: Date?
    /// Entries of this moment are not among them.
    package var until: Date?

    package init(model: String? = nil, account: String? = nil, since: Date? = nil, until: Date? = nil) {
        self.model = model
        self.account = account
        self.since = since
        self.until = until
    }
}

extension ExportRepository {
    /// All records, in the order of their ids.
    package func export(
        _ model: ModelSchema, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary {
        try await export(model, ExportQuery(), as: format, to: destination, progress: progress)
    }
}

package enum ExportDestination: Sendable, Hashable {
    /// A new file, which appears when it is complete. Nothing is overwritten.
    case file(String)
    case standardOutput
}

/// What was exported.
package struct ExportSummary: Sendable, Hashable, Codable {
    package let model: String
    package let records: Int
    /// Of the store, when its records were as they are written.
    package let commit: Int64
    /// Nil when it went to standard output.
    package let path: String?

    package init(model: String, records: Int, commit: Int64, path: String?) {
        self.model = model
        self.records = records
        self.commit = commit
        self.path = path
    }
}

/// Which records of a model are exported, and in which order.
package struct ExportQuery: Sendable, Hashable {
    /// Each of which holds for the records; none for all records.
    package let conditions: [QueryExpression]
    /// Nil for the order of the ids.
    package let order: ListOrder?
    /// The properties that are not written, by their names.
    package var leavingOut: Set<String>

    package init(conditions: [QueryExpression] = [], order: ListOrder? = nil, leavingOut: Set<String> = []) {
        self.conditions = conditions
        self.order = order
        self.leavingOut = leavingOut
    }
}

/// Exports that a page asks for: read at one moment, from the store as it is, and sent at whatever pace they are taken.
package protocol ListExport: Sendable {
    /// - Throws: ``ReadError``; ``ListExportError``.
    func file(of model: ModelSchema, _ query: ExportQuery, as format: ExportFormat) async throws -> HeldFile
}

package enum ListExportError: Error, Sendable, Hashable {
    /// There is no room for the file, or it may not be written. The sentence says why, for whoever runs the server.
    case unwritable(String)
}

/// A file that is there as long as somebody holds it.
package struct HeldFile: Sendable {
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
    /// A JSON object a line.
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
