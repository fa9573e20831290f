/// The records of a model as text, of one committed point of the store.
package protocol ExportRepository: Sendable {
    /// Writes every record, in the order of their ids, while the store goes on. Secrets are never among the values.
    ///
    /// - Parameters:
    ///   - progress: Called from time to time with how many records are written.
    func export(
        _ model: ModelSchema, as format: ExportFormat, to destination: ExportDestination,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ExportSummary
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
