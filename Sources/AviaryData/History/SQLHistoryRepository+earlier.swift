package import AviaryDomain
package import Foundation

extension SQLHistoryRepository {
    package func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> EarlierValues? {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                var past = RecordRewind(to: point)
                try ChangeTable.forEachChange(of: record, model, in: connection) { past.goBack($0) }
                guard let commit = past.commit else { return nil }
                return EarlierValues(
                    values: past.values, secrets: past.secrets,
                    commit: try CommitTable.summary(of: commit, in: connection),
                    last: try past.last.flatMap { try CommitTable.summary(of: $0, in: connection) }
                )
            }
        }
    }
}

/// Goes back from what a record holds now, change by change.
private struct RecordRewind {
    let point: HistoryPoint
    private(set) var values: [String: FieldValue] = [:]
    private(set) var secrets: Set<String> = []
    /// The commit of the newest change after the point.
    private(set) var last: Int64?
    /// The commit of the change that the point follows, once it is reached.
    private(set) var commit: Int64?

    init(to point: HistoryPoint) {
        self.point = point
    }

    /// - Parameter change: The one before that of the last call.
    /// - Returns: Whether the one before it is wanted, too.
    mutating func goBack(_ change: RecordChange) -> Bool {
        if point.includes(change) {
            // A change that is named has to be one of the record's.
            if case .change(let number) = point, number != change.number { return false }
            commit = change.commit
            return false
        }
        if last == nil { last = change.commit }
        switch change.kind {
        case .insert, .delete: return false
        case .link, .unlink: return true
        case .update:
            for (name, field) in change.fields {
                values[name] = field.isSecret ? nil : field.before
                if field.isSecret { secrets.insert(name) } else { secrets.remove(name) }
            }
            return true
        }
    }
}
