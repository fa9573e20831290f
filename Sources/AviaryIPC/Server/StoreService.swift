package import AviaryDomain
package import Foundation

/// What the socket's server serves: the store, seen through protocols.
package protocol StoreService: ChangeWriter, StoreReplacing {
    /// Takes what came together, in its order, and answers each when its commit is on disk.
    func write(_ requests: [WriteRequest])
    func status() async -> StoreStatus
    /// Takes what a worker recorded, and tells the sums of all if it asks for them.
    func exchangeMetrics(_ report: Data) async -> Data
    /// Begins a check of the store's file, in which a read has met damage. Does not wait for its end.
    func checkFile() async
    /// Ends the hold of a holder whose connection has ended; does nothing when it holds no writes.
    func abandonWrites(for holder: UUID) async
    /// Commits what is open and lets go of the directory.
    func close() async
}

extension StoreService {
    /// One by one, for a store that does not take several at once.
    package func write(_ requests: [WriteRequest]) {
        for request in requests {
            Task {
                do throws(StoreError) {
                    request.answer(.success(try await perform(request)))
                } catch {
                    request.answer(.failure(error))
                }
            }
        }
    }

    private func perform(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        if let deadline = request.deadline, deadline.isPast { throw .expired }
        switch request.work {
        case .submit(let changeSet): return try await submit(changeSet)
        case .undo(let undo): return try await self.undo(undo)
        case .discard(let draft):
            try await discard(draft: draft)
            return nil
        }
    }

    /// A store that has no file.
    package func checkFile() async {}

    /// A store that keeps no sums.
    package func exchangeMetrics(_ report: Data) async -> Data { Data() }
}
