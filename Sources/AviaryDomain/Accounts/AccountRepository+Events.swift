package import Foundation

extension AccountRepository {
    /// Returns a page of events of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - account: The name of the account whose events to return; nil for all.
    ///   - time: The period of the events.
    ///   - cursor: The end of the previous page; nil for the first page.
    ///   - size: The number of events per page.
    /// - Throws: ``QueryError`` when the cursor belongs to another query; ``ReadError``.
    package func fetchEvents(
        of account: String? = nil, time: Range<Date>? = nil, after cursor: FetchCursor? = nil, size: Int
    ) async throws -> FetchedPage<AuditEvent> {
        var descriptor = FetchDescriptor<AuditEvent>(
            predicate: Self.events(of: account, time), sortBy: [SortDescriptor(\.time, order: .reverse)]
        )
        descriptor.fetchLimit = size
        return try await events.fetchPage(descriptor, after: cursor)
    }

    /// Returns what others changed about the sign-in of an account, newest first.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - kinds: The kinds of events. Each kind is read separately, so that many events of one kind do not displace
    ///     others.
    ///   - start: The earliest time.
    ///   - limit: The largest number of events of each kind.
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

    /// Returns the events of imports, and of updates by commands, that began within a time, newest first.
    ///
    /// - Throws: `ReadError`.
    package func imports(in time: Range<Date>, limit: Int = 200) async throws -> [AuditEvent] {
        let kind = AuditEvent.Kind.recordImport, update = AuditEvent.Kind.recordUpdate
        let (start, end) = (time.lowerBound, time.upperBound)
        var descriptor = FetchDescriptor<AuditEvent>(
            predicate: #Predicate { ($0.kind == kind || $0.kind == update) && $0.time >= start && $0.time < end },
            sortBy: [SortDescriptor(\.time, order: .reverse)]
        )
        descriptor.fetchLimit = limit
        return try await events.fetch(descriptor)
    }

    /// Returns the time of the second-last sign-in of an account; nil when it signed in fewer than two times.
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

    /// Records an event in the audit log.
    ///
    /// An event that repeats an earlier one within an hour increases the count of that one. Nobody can therefore
    /// fill the log by repeating one action.
    ///
    /// - Parameters:
    ///   - event: The event to record.
    ///   - count: The number of occurrences, for an event that is counted.
    ///   - author: The author of the change.
    /// - Throws: `StoreError`.
    package func note(_ event: AuditEvent, count: Int = 1, by author: String = AccountRepository.author)
        async throws(StoreError)
    {
        guard await !isCounted(event, count) else { return }
        var event = event
        if count > 1 { event.count = count }
        _ = try await writer.submit(ChangeSet(author: author, changes: [.insert(event)]))
    }

    /// Returns the number of exports by an account in the hour before a time.
    ///
    /// - Throws: `ReadError`.
    package func exports(by account: String, before now: Date) async throws -> Int {
        try await eventsInHour(before: now, .export, of: account).reduce(0) { Self.sum($0, $1.count ?? 1) }
    }

    /// Adds the event to the count of an earlier one, and indicates whether it succeeded.
    ///
    /// When the earlier event cannot be read or updated, the caller stores the event separately.
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

    /// Returns the events of a kind in the hour before a time, newest first.
    ///
    /// There are few of them, because repeated events are counted and exports have a rate limit.
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

    /// Adds two counts without overflow. A stored count may come from a snapshot and be any number.
    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isTooLarge) = first.addingReportingOverflow(second)
        return isTooLarge ? .max : sum
    }

    /// The period in which repeated events are counted, in seconds.
    private static var countedTime: TimeInterval { 3600 }
    private static var mostLookedAt: Int { 200 }
}
