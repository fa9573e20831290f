/// Takes a whole store in place of its own: what a restore ends with.
package protocol StoreReplacing: Sendable {
    /// Replaces everything by what the finished store file holds, in one step, and returns the commit's number.
    ///
    /// - Throws: ``StoreError``; then everything is as before.
    func replaceContents(withStoreAt path: String) async throws(StoreError) -> Int64
}
