package import AviaryDomain
package import Foundation

extension SQLRecordRepository {
    package func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt {
        let change: Change =
            if let version = submission.version {
                .update(model: schema.name, id: submission.id, version: version, values: submission.values)
            } else {
                .insert(model: schema.name, id: submission.id, values: submission.values)
            }
        let deletes = submission.others.contains { if case .delete = $0 { true } else { false } }
        return try await writer.submit(
            ChangeSet(
                id: submission.draft, author: submission.author,
                changes: [change] + linkChanges(submission) + submission.others,
                // Nobody was asked about what would go along.
                cascadeLimit: deletes ? 0 : nil
            ))
    }

    private func linkChanges(_ submission: RecordSubmission) -> [Change] {
        submission.links.flatMap { edit in
            edit.removed.map { .unlink(model: schema.name, property: edit.property, id: submission.id, target: $0) }
                + edit.added.map { .link(model: schema.name, property: edit.property, id: submission.id, target: $0) }
        }
    }

    package func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt {
        try await writer.submit(
            ChangeSet(
                id: deletion.changeSet, author: deletion.author,
                changes: ids.map { .delete(model: schema.name, id: $0) }, cascadeLimit: deletion.cascadeLimit
            ))
    }
}
