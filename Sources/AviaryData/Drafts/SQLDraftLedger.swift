package import AviaryDomain
package import Foundation

/// The outcomes of drafts, from the store's receipts.
package struct SQLDraftLedger: DraftLedger {
    private let readers: ReaderPool
    private let writer: any ChangeWriter

    package init(readers: ReaderPool, writer: any ChangeWriter) {
        self.readers = readers
        self.writer = writer
    }

    package func outcome(ofDraft id: UUID) async throws -> DraftOutcome? {
        try readers.read { connection in
            if let receipt = try CommitTable.receipt(id.canonicalText, in: connection) {
                return .saved(commit: receipt.commit)
            }
            return try DiscardTable.contains(id.canonicalText, in: connection) ? .discarded : nil
        }
    }

    package func restoreEpoch() async throws -> String {
        try readers.restoreEpoch()
    }

    package func discard(draft id: UUID) async throws(StoreError) {
        try await writer.discard(draft: id)
    }
}
