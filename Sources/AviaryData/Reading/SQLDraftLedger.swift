package import AviaryDomain
package import Foundation

/// What became of drafts, as the store's receipts tell.
package struct SQLDraftLedger: DraftLedger {
    private let readers: ReaderPool
    private let writer: any ChangeWriter

    package init(readers: ReaderPool, writer: any ChangeWriter) {
        self.readers = readers
        self.writer = writer
    }

    package func outcome(ofDraft id: UUID) async throws -> DraftOutcome? {
        try readers.read { connection in
            try ReceiptTable.entry(id.canonicalText, in: connection).map { entry in
                entry.commit.map(DraftOutcome.saved) ?? .discarded
            }
        }
    }

    package func restoreEpoch() async throws -> String {
        try readers.restoreEpoch()
    }

    package func discard(draft id: UUID) async throws(StoreError) {
        try await writer.discard(draft: id)
    }
}
