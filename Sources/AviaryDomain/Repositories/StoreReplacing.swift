package import Foundation

/// A store that can take another store's contents in place of its own, as the last step of a restore.
package protocol StoreReplacing: Sendable {
    /// Replaces everything by what the finished store file holds, in one step, and returns the commit's number.
    ///
    /// - Throws: ``StoreError``, also where the holder has not held writes all the while; then everything is as before.
    func replaceContents(withStoreAt path: String, holder: UUID) async throws(StoreError) -> Int64

    /// Holds back writes until the contents are replaced or writes are released.
    ///
    /// When the method returns, accepted writes are on disk. Later writes wait, for ten seconds at most: the same
    /// holder repeats the call before they are over. All calls of a holder together hold writes for five minutes at
    /// most, and no longer than its connection to the store lasts.
    ///
    /// - Throws: ``StoreError`` while another holder holds writes, and for a holder whose hold has expired.
    func holdWrites(for holder: UUID) async throws(StoreError)

    func releaseWrites(for holder: UUID) async throws(StoreError)
}
