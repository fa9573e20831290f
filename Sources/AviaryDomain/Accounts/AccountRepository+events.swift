package import Foundation

extension AccountRepository {
    /// Events of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - account: Only of this name; nil for all.
    ///   - time: From the first of these to before the second.
    ///   - cursor: Where the page before ended.
    /// - Throws: ``QueryError`` when the cursor is of another question; ``ReadError``.
    package func fetchEvents(
        of account: String? = nil, time: Range<Date>? = nil, after cursor: FetchCursor? = nil, size: Int
    ) async throws -> FetchedPage<AuditEvent> {
        var descriptor = FetchDescriptor<AuditEvent>(
            predicate: Self.events(of: account, time), sortBy: [SortDescriptor(\.time, order: .reverse)]
        )
        descriptor.fetchLimit = size
        return try await events.fetchPage(descriptor, after: cursor)
    }

    private static func events(of account: String?, _ time: Range<Date>?) -> Predicate<AuditEvent>? {
        if let account, let time {
            let (start, end) = (time.lowerBound, time.upperBound)
            return #Predicate { $0.account == account && $0.time >= start && $0.time < end }
        }
        if let account { return #Predicate { $0.account == account } }
        if let time {
            let (start, end) = (time.lowerBound, time.upperBound)
            return #Predicate { $0.time >= start && $0.time < end }
        }
        return nil
    }
}
