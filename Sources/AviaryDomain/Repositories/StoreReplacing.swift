package import Foundation

/// Takes a whole store in place of its own: what a restore ends with.
package protocol StoreReplacing: Sendable {
    /// Replaces everything by what the finished store file holds, in one step, and returns the commit's number.
    ///
    /// - Throws: ``StoreError``, also where the holder has not held writes all the while; then everything is as before.
    func replaceContents(withStoreAt path: String, holder: UUID) async throws(StoreError) -> Int64

    /// What was let in before is on disk when this returns; what comes later waits, until the contents are replaced or writes are
    /// released, and for ten seconds at most: the same holder asks again before they are over.
    ///
    /// - Throws: ``StoreError`` while somebody else holds them, and for a holder whose hold has ended by itself.
    func holdWrites(for holder: UUID) async throws(StoreError)

    func releaseWrites(for holder: UUID) async throws(StoreError)
}
