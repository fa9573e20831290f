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

    /// What others did to how the account signs in, newest first.
    ///
    /// - Parameters:
    ///   - kinds: Each is read by itself, so that many of one kind push out none of another.
    ///   - limit: At most so many of each kind.
    package func actsOnAccount(
        named name: String, of kinds: Set<AuditEvent.Kind> = AuditEvent.Kind.actsOnAccounts, since start: Date,
        limit: Int
    ) async throws -> [AuditEvent] {
        var acts: [AuditEvent] = []
        for kind in kinds {
            var descriptor = FetchDescriptor<AuditEvent>(
                predicate: #Predicate { $0.subject == name && $0.kind == kind && $0.time >= start },
                sortBy: [SortDescriptor(\.time, order: .reverse)]
            )
            descriptor.fetchLimit = limit
            acts += try await events.fetch(descriptor)
        }
        return acts.sorted { ($0.time, $0.id.uuid) > ($1.time, $1.id.uuid) }
    }

    /// When the account signed in before the sign-in that was the last; nil where it never did.
    package func signInBeforeLast(of name: String) async throws -> Date? {
        let kind = AuditEvent.Kind.signIn
        var descriptor = FetchDescriptor<AuditEvent>(
            predicate: #Predicate { $0.account == name && $0.kind == kind },
            sortBy: [SortDescriptor(\.time, order: .reverse)]
        )
        descriptor.fetchLimit = 2
        return try await events.fetch(descriptor).dropFirst().first?.time
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
