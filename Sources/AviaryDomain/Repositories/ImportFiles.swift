/// Files of records that people brought, each to be looked at and imported by who brought it, until it is too old.
package protocol ImportFiles: Sendable {
    /// - Parameter next: The file's next bytes; nil at the end.
    /// - Returns: Under which it is kept.
    /// - Throws: ``ImportFileError``; what `next` throws.
    func keep(by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?) async throws -> String

    /// Nil where there is none (any more), or somebody else brought it, or for another model.
    func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)?

    /// The file to be imported, which nobody else gets then; it goes with who holds the answer.
    func take(_ id: String, of account: String, for model: String) async -> (any ImportSource)?

    /// Removes it, if it is there.
    func discard(_ id: String, of account: String, for model: String) async
}

package enum ImportFileError: Error, Sendable, Hashable {
    /// Bytes that a file may have.
    case tooLarge(limit: Int)
    /// There is nothing in it.
    case empty
    /// Others that were brought have to be imported first.
    case tooMany
    case unwritable
}
