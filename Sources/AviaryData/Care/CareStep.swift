/// One small piece of work that a store did for its file.
enum CareStep: Sendable, Hashable {
    /// Removed entries of the history that are kept no longer.
    case trimmed
    /// Removed records that nobody needs any more, of the models that every application has.
    case removedExpired(Int)
    /// Renewed what SQLite knows of a table's sizes.
    case analyzed
    /// Gave back free pages.
    case gaveBackPages(Int)
    /// Made the indexes of a table anew, which were damaged.
    case rebuilt(String)
    /// Copied the log into the file.
    case checkpointed
}
