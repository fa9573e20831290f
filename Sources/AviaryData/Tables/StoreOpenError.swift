/// Why a store's file was not opened, with what to do next.
package enum StoreOpenError: Error, Sendable, Hashable {
    case missing(path: String)
    case notAStore(path: String)
    /// SQLite does not know it for a database.
    case unreadable(path: String)
    /// The file is of another version of this library.
    case otherVersion(path: String, found: String, wanted: String)
    /// SQLite did not take a setting that the store's promises rest on.
    case setting(name: String, wanted: String, found: String)
    /// The models differ from those the file was written with; lines as in `Schema.summary`.
    case schemaChanged(missing: [String], added: [String])
    case unusableName(model: String, property: String?, reason: String)
    case unknownSortIndex(SortIndex)
}

extension StoreOpenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no store yet. Start the store first."
        case .notAStore(let path):
            "\(path): is not a store of this library. Move the file away, or choose another directory with --data."
        case .unreadable(let path):
            "\(path): is no database, or a damaged one. If it was this store, move it away and restore the last backup; "
                + "else choose another directory with --data."
        case .otherVersion(let path, let found, let wanted):
            "\(path): has layout \(found), and this program reads and writes layout \(wanted). Start the program that wrote the file, "
                + "take a backup with it, and restore that with this one."
        case .setting(let name, let wanted, let found):
            "SQLite's \(name) is \(found) instead of \(wanted), so writes would not be safe. "
                + "Put the data directory on a local disk, and use a SQLite library with default settings."
        case .schemaChanged(let missing, let added):
            "The models differ from those in the file:\n"
                + (missing.map { "  - \($0)\n" } + added.map { "  + \($0)\n" }).joined()
                + "(- only in the file, + only in the program.) New models are added, but models that have a table cannot "
                + "change yet: start the program that wrote the file, or begin a new store with --data."
        case .unusableName(let model, let property, let reason):
            model + (property.map { ".\($0)" } ?? "") + " \(reason)"
        case .unknownSortIndex(let index):
            "\(index.model).\(index.property) is to be sorted by, but is not a stored value of a model."
        }
    }
}
