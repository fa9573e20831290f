/// The format of a file of exported records.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// RFC 4180 with a header line, as `import` and spreadsheets read it.
    case csv
    /// A JSON object a line.
    case jsonl
}
