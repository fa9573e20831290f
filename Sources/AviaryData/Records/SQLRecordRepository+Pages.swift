package import AviaryDomain
import Foundation

extension SQLRecordRepository {
    /// Above any page that a person reads; keeps one read bounded, whatever is asked for.
    private static let largestPage = 10_000

    /// - Throws: ``PageRequestError`` when the list cannot be sorted so. `id` sorts any list. ``ReadError`` when the conditions
    ///   ask for more work than a page may take; ``QueryError`` when they name what is not stored.
    package func page(_ request: PageRequest) async throws -> Page {
        guard request.conditions.isEmpty else { return try await narrowedPage(request) }
        let query = try listQuery(sortedBy: request.sort.property)
        return try await readers.readShortOrLong(timeLimit: pageLimits.collection, in: readers.longPages) {
            connection in
            try connection.snapshot {
                let page = try PageReader(
                    query: query, reader: reader, connection: connection,
                    isAscending: request.sort.direction == .ascending,
                    size: size(of: request)
                ).page(request.cursor)
                return page.with(try related(page, request, in: connection))
            }
        }
    }

    /// Returns the related records that the request asks for, of the records of the page.
    func related(_ page: Page, _ request: PageRequest, in connection: any Connection) throws
        -> [String: [UUID: RelatedSummary]]
    {
        var related: [String: [UUID: RelatedSummary]] = [:]
        for name in request.relations {
            related[name] = try self.related(
                to: page.records.map(\.id), by: name, limit: request.relatedTitles, in: connection)
        }
        return related
    }

    func size(of request: PageRequest) -> Int { min(max(1, request.size), Self.largestPage) }

    func listQuery(sortedBy property: String) throws(PageRequestError) -> ListQuery {
        ListQuery(table, selection: reader.selection, sortedBy: try sortIndex(property))
    }

    /// Among the stored properties; nil for the id.
    func sortIndex(_ property: String) throws(PageRequestError) -> Int? {
        if property == "id" { return nil }
        guard let index = schema.storedIndex(of: property) else {
            throw .unknownProperty(model: schema.name, property: property)
        }
        guard isSortable(property) else { throw .notSortable(model: schema.name, property: property) }
        return index
    }
}

extension Page {
    func with(_ matches: MatchCount) -> Page {
        Page(records: records, previous: previous, next: next, total: total, matches: matches, related: related)
    }

    func with(_ related: [String: [UUID: RelatedSummary]]) -> Page {
        Page(records: records, previous: previous, next: next, total: total, matches: matches, related: related)
    }
}

/// The work that a page of a narrowed list may take.
struct PageLimits: Sendable {
    /// In place, on a thread that serves others too.
    var page: Duration = .milliseconds(50)
    /// Of that, for finding out how to read it.
    var plan: Duration = .milliseconds(15)
    /// Of that, for a walk: behind it the matches are collected.
    var walk: Duration = .milliseconds(20)
    /// Of that, for counting once it is read: nobody waits long for a number.
    var count: Duration = .milliseconds(5)
    /// On a thread of its own, and for the wait until it is free. By hand, collecting and sorting 827,000 of a million
    /// records took 0.4 s of work; `docs/benchmarks.md` has the figures.
    var collection: Duration = .seconds(10)
}

extension SQLRecordRepository {
    /// - Throws: ``ReadError/tookTooLong(limit:)`` where only a search remains that looks into each text; whatever compares
    ///   values is answered, if not in place, then on a thread of its own.
    func narrowedPage(_ request: PageRequest) async throws -> Page {
        let attempt = try pageInPlace(request)
        if let page = attempt.page { return page }
        let leader = attempt.plan.leader ?? request.conditions.firstIndex(where: readers.aids.comparesQuickly)
        guard let way = attempt.way ?? leader.map(ListPlan.Way.collect) else {
            throw ReadError.tookTooLong(limit: pageLimits.page)
        }
        let (query, narrowing) = try query(request, way)
        return try await readers.readLong(timeLimit: pageLimits.collection, in: readers.longPages) { connection in
            // The attempt's numbers are of another state of the store.
            try connection.snapshot {
                let page = try self.page(request, query, in: connection)
                let related = try self.related(page, request, in: connection)
                if let matches = Self.count(page, of: request) { return page.with(matches).with(related) }
                // A search in texts alone would look into all of them.
                guard leader != nil else { return page.with(.atLeast(page.records.count)).with(related) }
                let count = try self.count(narrowing, in: connection)
                let isExact = count <= MatchCount.mostCounted
                return page.with(isExact ? .exactly(count) : .atLeast(MatchCount.mostCounted)).with(related)
            }
        }
    }

    /// The result of reading a page in place, on a thread that serves others too.
    private struct Attempt {
        /// Nil where that took too long.
        var page: Page?
        /// The way by which the records were found, where only reading their related records took too long.
        var way: ListPlan.Way?
        let plan: ListPlan
    }

    private func pageInPlace(_ request: PageRequest) throws -> Attempt {
        try readers.readState { state in
            let deadline = ThreadCPUTime.now + pageLimits.page
            let plan = try plan(request.conditions, size: size(of: request), in: state)
            var attempt = Attempt(plan: plan)
            var ways = [plan.way]
            // Few are collected in place, many elsewhere.
            if plan.way == .walk, plan.findsFew, let leader = plan.leader { ways.append(.collect(leader)) }
            for way in ways {
                let (query, narrowing) = try query(request, way)
                let end = way == .walk ? min(deadline, ThreadCPUTime.now + pageLimits.walk) : deadline
                do {
                    let page = try state.read(within: pageLimits.page, until: end) { connection in
                        try self.page(request, query, in: connection)
                    }
                    attempt.way = way
                    let matches = try plan.matches ?? count(page, narrowing, of: request, until: deadline, in: state)
                    guard !request.relations.isEmpty else {
                        attempt.page = page.with(matches)
                        return attempt
                    }
                    let relatedEnd = ThreadCPUTime.now + pageLimits.page
                    let related = try state.read(within: pageLimits.page, until: relatedEnd) { connection in
                        try self.related(page, request, in: connection)
                    }
                    attempt.page = page.with(matches).with(related)
                    return attempt
                } catch ReadError.tookTooLong {
                    if attempt.way != nil { return attempt }
                }
            }
            return attempt
        }
    }

    private func query(_ request: PageRequest, _ way: ListPlan.Way) throws -> (ListQuery, Narrowing) {
        let sort = try sortIndex(request.sort.property)
        let narrowing = try narrowing(request.conditions, way, sortedBy: sort)
        let query = ListQuery(
            table, selection: "SELECT record.id FROM \(table.name) AS record", sortedBy: sort, narrowing: narrowing)
        return (query, narrowing)
    }

    private func page(_ request: PageRequest, _ query: ListQuery, in connection: any Connection) throws -> Page {
        try PageReader(
            query: query, reader: reader, connection: connection,
            isAscending: request.sort.direction == .ascending, size: size(of: request), readsIDs: true
        ).page(request.cursor)
    }

    private func plan(_ conditions: [QueryExpression], size: Int, in state: StateReads) throws -> ListPlan {
        let deadline = ThreadCPUTime.now + pageLimits.plan
        let found = try conditions.map { condition in
            readers.aids.finds(condition, of: table)
                ? try count(narrowing([condition], .collect(0), sortedBy: nil), until: deadline, in: state) : nil
        }
        let total = try state.read(within: ReaderPool.shortReadLimit) { try TotalTable.count(schema.name, in: $0) }
        return ListPlan(found: found, total: total, size: size)
    }

    private func narrowing(
        _ conditions: [QueryExpression], _ way: ListPlan.Way, sortedBy sort: Int?
    ) throws -> Narrowing {
        try Narrowing(conditions, way, sortedBy: sort.map { schema.storedProperties[$0].name }, of: table, readers.aids)
    }

    private func count(
        _ page: Page, _ narrowing: Narrowing, of request: PageRequest, until deadline: Duration, in state: StateReads
    ) throws -> MatchCount {
        if let count = Self.count(page, of: request) { return count }
        let count = try count(narrowing, until: min(deadline, ThreadCPUTime.now + pageLimits.count), in: state)
        guard let count, count <= MatchCount.mostCounted else {
            return .atLeast(count == nil ? page.records.count : MatchCount.mostCounted)
        }
        return .exactly(count)
    }

    /// Nil where there are more than the page shows.
    private static func count(_ page: Page, of request: PageRequest) -> MatchCount? {
        request.cursor == nil && page.next == nil ? .exactly(page.records.count) : nil
    }

    /// Up to one more than ``MatchCount/mostCounted``; nil when that takes too long.
    private func count(_ narrowing: Narrowing, until deadline: Duration, in state: StateReads) throws -> Int? {
        do {
            return try state.read(within: pageLimits.page, until: deadline) { try count(narrowing, in: $0) }
        } catch ReadError.tookTooLong {
            return nil
        }
    }

    private func count(_ narrowing: Narrowing, in connection: any Connection) throws -> Int {
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM \(table.name) AS record WHERE \(narrowing.text) LIMIT ?) AS found"
        let most = FieldValue.integer(Int64(MatchCount.mostCounted + 1))
        return try connection.firstRow(sql, narrowing.values + [most]) { Int($0.integer(0)) } ?? 0
    }
}

extension StateReads {
    /// How often a read begins anew that ran out of time without having worked for as long: others had the processor.
    private static let mostAttempts = 20

    /// - Parameter deadline: In the thread's work.
    /// - Throws: ``ReadError/tookTooLong(limit:)`` with the limit, of which only the work until the deadline is left.
    fileprivate func read<T>(
        within limit: Duration, until deadline: Duration, _ body: (any Connection) throws -> T
    ) throws -> T {
        for _ in 0..<Self.mostAttempts {
            let rest = deadline - ThreadCPUTime.now
            guard rest > .zero else { break }
            do {
                return try read(within: rest, body)
            } catch ReadError.tookTooLong {
                continue
            }
        }
        throw ReadError.tookTooLong(limit: limit)
    }
}

/// The CPU time of a thread: the time in which it ran, without that in which others did.
///
/// A page of a busy machine needs as much of it as one of an idle machine.
enum ThreadCPUTime {
    /// Since the thread began. Two times of one thread can be compared, no others.
    static var now: Duration {
        var time = timespec()
        // It fails for clocks that there are not; this one is there.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
