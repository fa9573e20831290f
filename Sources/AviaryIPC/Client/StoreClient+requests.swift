package import AviaryDomain
package import Foundation

extension StoreClient: ChangeWriter {
    /// Far fewer than a store applies, so that a slow machine is no reason to give up.
    private static let changesPerSecond = 2000

    package func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        // A large import takes the store a while; a form's change set does not.
        let patience = patience + .seconds(changeSet.changes.count / Self.changesPerSecond)
        guard case .stored(let receipt) = try await ask(.submit(changeSet), patience: patience) else {
            throw .unexpectedAnswer
        }
        return receipt
    }

    /// What a cascade took along comes back, and may be much.
    private static let undoPatience: Duration = .seconds(60)

    package func undo(_ undo: Undo) async throws(StoreError) -> Receipt {
        guard case .stored(let receipt) = try await ask(.undo(undo), patience: Self.undoPatience) else {
            throw .unexpectedAnswer
        }
        return receipt
    }

    package func discard(draft id: UUID) async throws(StoreError) {
        guard case .discarded = try await ask(.discard(draft: id)) else { throw .unexpectedAnswer }
    }
}

extension StoreClient: StoreReplacing {
    /// Copying a large store takes longer than a form may.
    private static let replacementPatience: Duration = .seconds(120)

    package func replaceContents(withStoreAt path: String, holder: UUID) async throws(StoreError) -> Int64 {
        let answer = try await ask(.replaceContents(path: path, holder: holder), patience: Self.replacementPatience)
        guard case .replaced(let commit) = answer else { throw .unexpectedAnswer }
        return commit
    }

    package func holdWrites(for holder: UUID) async throws(StoreError) {
        guard case .held = try await ask(.holdWrites(holder: holder)) else { throw .unexpectedAnswer }
    }

    package func releaseWrites(for holder: UUID) async throws(StoreError) {
        guard case .held = try await ask(.releaseWrites(holder: holder)) else { throw .unexpectedAnswer }
    }
}

extension StoreClient {
    package func exchangeMetrics(_ report: Data, patience: Duration) async throws(StoreError) -> Data {
        guard case .metrics(let answer) = try await ask(.metrics(report), patience: patience) else {
            throw .unexpectedAnswer
        }
        return answer
    }

    package func status(patience: Duration? = nil) async throws(StoreError) -> StoreStatus {
        guard case .status(let status) = try await ask(.status, patience: patience) else { throw .unexpectedAnswer }
        return status
    }

    /// Makes the store check its file, in which a read of this process has met damage. The store's status tells what
    /// the check finds.
    ///
    /// - Throws: ``StoreError/malformed(_:)`` from a store process of an earlier version, which does nothing.
    package func checkFile() async throws(StoreError) {
        guard case .status = try await ask(.checkFile) else { throw .unexpectedAnswer }
    }
}

extension StoreError {
    fileprivate static let unexpectedAnswer = StoreError.unavailable("it answered something else than was asked.")
}
