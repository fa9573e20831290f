/// Files of records that people brought, each to be looked at and imported by who brought it, until it is too old.
package protocol ImportFiles: Sendable {
    /// Keeps a file. When one account has too many files for the model, the oldest is deleted.
    ///
    /// - Parameter next: A closure that returns the file's next bytes; nil at the end.
    /// - Returns: The name under which the file is kept.
    /// - Throws: ``ImportFileError``; the error of `next`.
    func keep(by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?) async throws
        -> String

    /// Returns the file; nil when it does not exist any more, or when it belongs to another account or model.
    func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)?

    /// Removes it, if it is there.
    func discard(_ id: String, of account: String, for model: String) async

    /// Begins to import the file, which goes on after the answer; one at a time of an account for a model. Nobody finds
    /// the file meanwhile. It goes when all of it was stored, is there again when nothing was, and else waits for
    /// ``goOn(with:of:for:_:)``.
    ///
    /// - Parameter work: Returns the job as it ended.
    /// - Throws: ``ImportFileError``.
    func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Goes on with the last import, which ended when something of its file was stored, or may have been.
    ///
    /// - Parameter work: Is given the job as it was left, and returns it as it ended.
    /// - Throws: ``ImportFileError``.
    func goOn(
        with id: String, of account: String, for model: String,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Returns a Boolean value that indicates whether the file of an ended import exists, so that the import can go on.
    func isWaiting(_ id: String, of account: String, for model: String) async -> Bool

    /// The last one that was begun; nil where there was none, or it is long ago.
    func job(of account: String, for model: String) async -> ImportJob?
}

package enum ImportFileError: Error, Sendable, Hashable {
    /// Bytes that a file may have.
    case tooLarge(limit: Int)
    /// The file contains nothing.
    case empty
    case unwritable
    /// The file does not exist any more.
    case gone
    /// Another import of the account for the model goes on.
    case busy
}
