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

    /// Notes that something happened. The same once more within an hour is counted by the event that is there, so that nobody
    /// fills the log by doing one thing again and again.
    ///
    /// - Parameter count: How often it happened, of an event that is counted.
    /// - Throws: `StoreError`.
    package func note(_ event: AuditEvent, count: Int = 1, by author: String = AccountRepository.author)
        async throws(StoreError)
    {
        guard await !isCounted(event, count) else { return }
        var event = event
        if count > 1 { event.count = count }
        _ = try await writer.submit(ChangeSet(author: author, changes: [.insert(event)]))
    }

    /// How often somebody has exported something in the hour before.
    ///
    /// - Throws: `ReadError`.
    package func exports(by account: String, before now: Date) async throws -> Int {
        try await eventsInHour(before: now, .export, of: account).reduce(0) { Self.sum($0, $1.count ?? 1) }
    }

    /// Whether an event that is there counts this one. Where that cannot be found out or stored, it is an event of its own.
    private func isCounted(_ event: AuditEvent, _ count: Int) async -> Bool {
        guard event.kind.isCounted else { return false }
        do {
            let first = try await eventsInHour(before: event.time, event.kind, of: event.account).first {
                $0.address == event.address && $0.subject == event.subject
            }
            guard let first else { return false }
            try await events.update(first.id) { $0.count = Self.sum($0.count ?? 1, count) }
            return true
        } catch {
            return false
        }
    }

    /// The newest first. There are few: they are counted, and exports have a limit.
    private func eventsInHour(before now: Date, _ kind: AuditEvent.Kind, of account: String?) async throws
        -> [AuditEvent]
    {
        let since = now.addingTimeInterval(-Self.countedTime)
        var descriptor = FetchDescriptor<AuditEvent>(sortBy: [SortDescriptor(\.time, order: .reverse)])
        if let account {
            descriptor.predicate = #Predicate { $0.account == account && $0.kind == kind && $0.time > since }
        } else {
            descriptor.predicate = #Predicate { $0.account == nil && $0.kind == kind && $0.time > since }
        }
        descriptor.fetchLimit = Self.mostLookedAt
        return try await events.fetch(descriptor)
    }

    /// A stored count may come from a snapshot, and be any number.
    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isTooLarge) = first.addingReportingOverflow(second)
        return isTooLarge ? .max : sum
    }

    /// Seconds.
    private static var countedTime: TimeInterval { 3600 }
    private static var mostLookedAt: Int { 200 }
}
