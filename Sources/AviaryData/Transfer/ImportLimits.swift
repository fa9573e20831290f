import AviaryDomain

/// The bounds on one record of a file.
package struct ImportLimits: Sendable {
    /// The greatest size of a record, in bytes.
    var recordSize: Int
    /// The greatest number of values in one line of JSON.
    var values: Int

    /// The limits of a file from a browser. A record that a form of 2 MiB has saved is at most three times as long in a file.
    package static let uploaded = ImportLimits(recordSize: 6 << 20, values: 100_000)
    /// The limits of a file that a command reads: more than any record has.
    package static let own = ImportLimits(recordSize: CSVReader.recordLimit, values: .max)
}
