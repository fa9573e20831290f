package import AviaryDomain
package import Foundation

extension Store: StoreReplacing {
    /// Puts the finished store file in place of everything but the receipts, between two batches. The commit number goes
    /// on above both, and the restore epoch changes; readers see the old state or the new one.
    ///
    /// - Throws: ``StoreError``; then everything is as before.
    package func replaceContents(withStoreAt path: String, holder: UUID) throws(StoreError) -> Int64 {
        commitBatch()
        defer { releaseWrites(for: holder) }
        if let refusal { throw .unavailable(refusal) }
        try requireHold(by: holder)
        do {
            let replacement = try StoreReplacement(
                at: path, for: connection, engine: engine, tables: tables, current: durablePosition,
                history: historyPolicy, clock: clock, time: now()
            )
            try connection.replaceContents(byThoseOf: replacement.connection)
            replacement.connection.close()
            position = replacement.position
            durablePosition = replacement.position
            clock = replacement.clock
        } catch {
            let engineError = error as? EngineError
            if let engineError, engineError.isFatalInFlush { fail(engineError) }
            if engineError?.kind == .damage {
                throw .unavailable("\(StoreOpenError.damagedUnderRestore(path: directory.storePath))")
            }
            throw .unavailable(refusal ?? "the restore failed and everything is as before: \(error)")
        }
        shrinkLog()
        // What was found out about the file, or is being found out, is not about these pages.
        if care.checker.result != .notNeeded { care.checker.start() }
        return position.commit
    }

    /// The log has grown by the size of the new store.
    private func shrinkLog() {
        do {
            try connection.truncateLog()
            logPagesAtCheckpoint = 0
        } catch {
            // Anything else, such as a reader in the way, only leaves the work to a later checkpoint.
            if error.isFatalInFlush { fail(error) }
        }
    }
}
