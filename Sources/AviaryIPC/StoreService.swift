package import AviaryDomain

/// What the socket's server serves: the store, seen through protocols.
package protocol StoreService: ChangeWriter, StoreReplacing {
    func status() async -> StoreStatus
    /// Commits what is open and lets go of the directory.
    func close() async
}
