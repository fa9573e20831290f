package import AviaryDomain

/// A reason why a store's file was not opened, with advice.
package enum StoreOpenError: Error, Sendable, Hashable {
    case missing(path: String)
    case notAStore(path: String)
    /// A file that SQLite does not recognize as a database.
    case unreadable(path: String)
    /// A damaged store that a restore cannot read to save it before replacing it.
    case damagedBeforeRestore(path: String)
    /// A damaged store that the restore saved, but whose file cannot receive the restored contents.
    case damagedUnderRestore(path: String)
    /// A file of another version of this library.
    case otherVersion(path: String, found: String, wanted: String)
    /// A SQLite setting without effect that the store's guarantees depend on.
    case setting(name: String, wanted: String, found: String)
    /// Models that differ from those of the file, as lines of `Schema.summary`.
    case schemaChanged(missing: [String], added: [String])
    /// A damaged description of the file's models.
    case damagedSchema(path: String)
    /// A damaged description of the file's models, in a file whose tables do not match the program's models.
    case damagedSchemaOfOtherProgram(path: String)
    /// A migration that was rejected, with the reasons.
    case migrationRefused([String])
    /// A file whose models have a later version than the program's.
    case newerSchema(found: Schema.Version, newest: Schema.Version)
    /// A file without a column that its recorded schema contains.
    case missingColumn(model: String, property: String)
    case unusableName(model: String, property: String?, reason: String)
    case unknownSortIndex(SortIndex)
    /// A database that cannot be used, with the reason and advice.
    case database(String)
}

extension StoreOpenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no store yet. Start the store first."
        case .notAStore(let path):
            "\(path): is not a store of this library. Choose another place with --data or --database, or move away what is there."
        case .unreadable(let path):
            "\(path): is no database, or a damaged one. If it was this store, move it away and restore the last backup; "
                + "else choose another directory with --data."
        case .damagedBeforeRestore(let path):
            "\(path): is damaged, so what a restore replaces cannot be kept. \(Self.movingAway)"
        case .damagedUnderRestore(let path):
            "\(path): is damaged, so nothing can be restored into it. \(Self.movingAway)"
        case .otherVersion(let path, let found, let wanted):
            "\(path): has layout \(found), and this program reads and writes layout \(wanted). Start the program that wrote the file, "
                + "take a backup with it, and restore that with this one."
        case .setting(let name, let wanted, let found):
            "SQLite's \(name) is \(found) instead of \(wanted), so writes would not be safe. "
                + "Put the data directory on a local disk, and use a SQLite library with default settings."
        case .schemaChanged(let missing, let added):
            "The models differ from those in the file:\n"
                + (missing.map { "  - \($0)\n" } + added.map { "  + \($0)\n" }).joined()
                + "(- only in the file, + only in the program.) Use the program that the server runs, or start the server with "
                + "this one: it changes the file if that can be done."
        case .damagedSchema(let path):
            "\(path): is damaged where it says which models it has; the records may be whole. Look at the disk, stop the server and run "
                + "repair with the program that the server runs: it takes the models of that program when the tables fit them."
        case .damagedSchemaOfOtherProgram(let path):
            "\(path): is damaged where it says which models it has, and its tables are not those of this program. Run repair with the "
                + "program that wrote the file; if there is none, restore the last backup. Nothing was changed."
        case .migrationRefused(let reasons):
            "The store's file does not fit the program's models, and cannot be changed to fit:\n"
                + reasons.map { "  - \($0)\n" }.joined()
                + "Nothing was changed: the program that wrote the file still works."
        case .newerSchema(let found, let newest):
            "The file has version \(found) of the models, and this program knows them up to \(newest). Start the program of version "
                + "\(found) or a newer one. To go back, put the copy that was made before the migration in the file's place."
        case .missingColumn(let model, let property):
            "The file has no column for \(model).\(property), though it says so: another program changed it. "
                + "Restore the last backup."
        case .unusableName(let model, let property, let reason):
            model + (property.map { ".\($0)" } ?? "") + " \(reason)"
        case .database(let reason): reason
        case .unknownSortIndex(let index):
            "\(index.model).\(index.property) is to be sorted by, but is not a stored value of a model."
        }
    }

    private static let movingAway =
        "Stop the server, move the file and all others beside it that are named store*.sqlite* away, and restore again."
}

extension StoreOpenError: RedactedError {
    package var redacted: String { description }
}
