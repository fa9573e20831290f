import AviaryDomain

/// A part of a snapshot's file, checked as far as it can be without the others.
enum SnapshotPart: Sendable {
    case beginning(SnapshotBeginning)
    case lines([NumberedLine])
    case end(SnapshotEnd)
}

struct SnapshotBeginning: Sendable {
    let manifest: SnapshotManifest
    let migration: SnapshotMigration
    /// The models that it was written with; nil when they are those of the program.
    let written: Schema?
}

/// A line behind the manifest, with its number in the uncompressed text, from 1.
struct NumberedLine: Sendable {
    let number: Int
    let content: Content

    enum Content: Sendable {
        case record(SnapshotRecord)
        case link(SnapshotLink)
        case log(SnapshotLogRow)
    }
}

struct SnapshotEnd: Sendable {
    /// Its number.
    let line: Int
    /// As the last line says.
    let records: Int64
    let sha256: String
    /// Of what was read.
    let foundSHA256: String
}
