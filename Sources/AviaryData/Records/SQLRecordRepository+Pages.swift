package import AviaryDomain
import Foundation

extension SQLRecordRepository {
    /// The maximum number of records per page. It is more than a person reads, and bounds a read whatever the
    /// request.
    private static let largestPage = 10_000

    /// Returns a page.
    ///
    /// - Throws: ``PageRequestError`` if the list cannot be sorted by the property; every list can be sorted by
    ///   `id`. ``ReadError`` if the conditions need more work than a page may take. ``QueryError`` if they name a
    ///   property that is not stored.
    package func page(_ request: PageRequest) async throws -> Page {
        guard request.conditions.isEmpty else { return try await filteredPage(request) }
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

    /// Returns the related records of the page's records that the request asks for.
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

    func listQuery(sortedBy property: String) throws(PageRequestError) -> ListStatement {
        ListStatement(table, selection: reader.selection, sortedBy: try sortIndex(property))
    }

    /// Returns the index of the sort property among the stored properties; nil for the id.
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

/// The time limits of a page of a filtered list.
///
/// A text index looks for its next record in one step, which no limit interrupts: two frequent words that never occur
/// together took 0.1 s in a million short texts.
struct PageLimits: Sendable {
    /// The limit of a read in place, on a thread that serves others, too.
    var page: Duration = .milliseconds(50)
    /// The part of ``page`` for the choice of the strategy.
    var plan: Duration = .milliseconds(15)
    /// The part of ``page`` for a walk, after which the matches are collected.
    var walk: Duration = .milliseconds(20)
    /// The part of ``page`` for the count after the page was read. A number is not worth a long wait.
    var count: Duration = .milliseconds(5)
    /// The limit of a read on a thread of its own, and of the wait for it.
    ///
    /// In a manual measurement, collecting and sorting 827,000 of a million records took 0.4 s of CPU time; see
    /// `docs/benchmarks.md`.
    var collection: Duration = .seconds(10)
}

extension SQLRecordRepository {
    /// Returns a page of a filtered list.
    ///
    /// Every comparison of values and every search in a text index is answered, in place or on a thread of its own. A
    /// part that many texts contain is met soon by a walk. If it is not, or if it is rare, the index collects the matches.
    ///
    /// - Throws: ``ReadError/Code/tookTooLong`` if the only remaining strategy is a search in each text,
    ///   without a text index.
    func filteredPage(_ request: PageRequest) async throws -> Page {
        let attempt = try pageInPlace(request)
        if let page = attempt.page { return page }
        let leaders = leaders(request.conditions, attempt.plan)
        guard attempt.way != nil || !leaders.isEmpty else { throw ReadError.tookTooLong(limit: pageLimits.page) }
        return try await readers.readLong(timeLimit: pageLimits.collection, in: readers.longPages) { connection in
            // The numbers of the attempt are of another state of the store.
            try connection.snapshot {
                let way = try attempt.way ?? .collect(best(leaders, of: request.conditions, in: connection))
                let (query, filterClause) = try query(request, way)
                let page = try self.page(request, query, in: connection)
                let related = try self.related(page, request, in: connection)
                if let matches = Self.count(page, of: request) { return page.with(matches).with(related) }
                // Without such a condition, a count would search all texts.
                guard !leaders.isEmpty, isCounted(filterClause, page.total) else {
                    return page.with(.atLeast(page.records.count)).with(related)
                }
                let count = try self.count(filterClause, in: connection)
                let isExact = count <= MatchCount.mostCounted
                return page.with(isExact ? .exactly(count) : .atLeast(MatchCount.mostCounted)).with(related)
            }
        }
    }

    /// Returns the conditions that could collect the records: that of the plan if it finds few, otherwise all that have an
    /// index, otherwise the first whose test is quick.
    private func leaders(_ conditions: [QueryExpression], _ plan: ListPlan) -> [Int] {
        if let leader = plan.leader { return [leader] }
        let indexed = conditions.indices.filter { readers.aids.finds(conditions[$0], of: table) }
        return indexed.isEmpty
            ? Array(conditions.indices.filter { readers.aids.comparesQuickly(conditions[$0]) }.prefix(1)) : indexed
    }

    /// Returns the first of the leaders that finds the fewest records, as far as they are counted.
    private func best(_ leaders: [Int], of conditions: [QueryExpression], in connection: any Connection) throws -> Int {
        guard leaders.count > 1 else { return leaders[0] }
        let counts = try leaders.map { try count(conditions[$0], upTo: MatchCount.mostCounted, in: connection) ?? .max }
        return leaders[counts.indices.min { counts[$0] < counts[$1] } ?? 0]
    }

    /// The result of an attempt to read a page in place, on a thread that serves others, too.
    private struct Attempt {
        /// The page; nil if the attempt took too long.
        var page: Page?
        /// The strategy that found the records, if only the read of their related records took too long.
        var way: ListPlan.AccessPath?
        let plan: ListPlan
    }

    private func pageInPlace(_ request: PageRequest) throws -> Attempt {
        try readers.readState { state in
            let deadline = ThreadCPUTime.now + pageLimits.page
            let plan = try plan(request.conditions, size: size(of: request), in: state)
            var attempt = Attempt(plan: plan)
            var ways = [plan.way]
            // A few matches are collected in place, many on another thread.
            if plan.way == .walk, let leader = plan.leader { ways.append(.collect(leader)) }
            for way in ways {
                let (query, filterClause) = try query(request, way)
                let end = way == .walk ? min(deadline, ThreadCPUTime.now + pageLimits.walk) : deadline
                do {
                    let page = try state.read(within: pageLimits.page, until: end) { connection in
                        try self.page(request, query, in: connection)
                    }
                    attempt.way = way
                    let matches = try plan.matches ?? count(page, filterClause, of: request, until: deadline, in: state)
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
                } catch let error as ReadError where error.code == .tookTooLong {
                    if attempt.way != nil { return attempt }
                }
            }
            return attempt
        }
    }

    private func query(_ request: PageRequest, _ way: ListPlan.AccessPath) throws -> (ListStatement, FilterClause) {
        let sort = try sortIndex(request.sort.property)
        let filterClause = try filterClause(request.conditions, way, sortedBy: sort)
        let query = ListStatement(
            table, selection: "SELECT record.id FROM \(table.name) AS record", sortedBy: sort,
            filterClause: filterClause)
        return (query, filterClause)
    }

    private func page(_ request: PageRequest, _ query: ListStatement, in connection: any Connection) throws -> Page {
        try PageReader(
            query: query, reader: reader, connection: connection,
            isAscending: request.sort.direction == .ascending, size: size(of: request), readsIDs: true
        ).page(request.cursor)
    }

    private func plan(_ conditions: [QueryExpression], size: Int, in state: StateReads) throws -> ListPlan {
        let deadline = ThreadCPUTime.now + pageLimits.plan
        let most = ListPlan.mostCounted(conditions.count)
        let found: [Int?] = try conditions.map { condition in
            guard readers.aids.finds(condition, of: table) else { return nil }
            return try count(within: pageLimits.page, until: deadline, in: state) {
                try count(condition, upTo: most, in: $0)
            }
        }
        let total = try state.read(within: readers.readLimit) {
            try RecordCountTable.count(schema.name, in: $0)
        }
        return ListPlan(found: found, total: total, size: size)
    }

    private func filterClause(
        _ conditions: [QueryExpression], _ way: ListPlan.AccessPath, sortedBy sort: Int?
    ) throws -> FilterClause {
        try FilterClause(
            conditions, way, sortedBy: sort.map { schema.storedProperties[$0].name }, of: table, readers.aids)
    }

    private func count(
        _ page: Page, _ filterClause: FilterClause, of request: PageRequest, until deadline: Duration,
        in state: StateReads
    ) throws -> MatchCount {
        if let count = Self.count(page, of: request) { return count }
        guard isCounted(filterClause, page.total) else { return .atLeast(page.records.count) }
        let end = min(deadline, ThreadCPUTime.now + pageLimits.count)
        let found = try count(within: pageLimits.page, until: end, in: state) { try count(filterClause, in: $0) }
        guard let found, found <= MatchCount.mostCounted else {
            return .atLeast(found == nil ? page.records.count : MatchCount.mostCounted)
        }
        return .exactly(found)
    }

    /// Indicates whether the matches are counted: by an index, or in a model of few records, each of which is tested.
    private func isCounted(_ filterClause: FilterClause, _ total: Int) -> Bool {
        !filterClause.walksSortIndex || total <= MatchCount.mostCounted
    }

    /// Returns the number of matches if the page shows all of them; otherwise nil.
    private static func count(_ page: Page, of request: PageRequest) -> MatchCount? {
        request.cursor == nil && page.next == nil ? .exactly(page.records.count) : nil
    }

    /// Returns a count; nil if it takes too long.
    private func count(
        within limit: Duration, until deadline: Duration, in state: StateReads,
        _ count: (any Connection) throws -> Int?
    ) throws -> Int? {
        do {
            return try state.read(within: limit, until: deadline, count)
        } catch let error as ReadError where error.code == .tookTooLong {
            return nil
        }
    }

    /// Returns the number of records that the indexes of a condition find, up to one more than the limit; nil if the text
    /// index does not know which of its rows a mask hides.
    private func count(
        _ condition: QueryExpression, upTo limit: Int, in connection: any Connection
    ) throws -> Int? {
        guard let search = TextSearch(condition, of: schema, readers.aids) else {
            return try count(filterClause([condition], .collect(0), sortedBy: nil), upTo: limit, in: connection)
        }
        guard connection.maskText == nil else { return nil }
        let sql = SearchTable.count(of: search, in: schema.name, upTo: limit + 1, table.dialect)
        return try connection.firstRow(sql.text, sql.values) { Int($0.integer(0)) } ?? 0
    }

    /// Returns the number of matches, up to one more than the limit.
    private func count(
        _ filterClause: FilterClause, upTo limit: Int = MatchCount.mostCounted, in connection: any Connection
    ) throws -> Int {
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM \(table.name) AS record WHERE \(filterClause.text) LIMIT ?) AS found"
        let most = FieldValue.integer(Int64(limit + 1))
        return try connection.firstRow(sql, filterClause.values + [most]) { Int($0.integer(0)) } ?? 0
    }
}

extension StateReads {
    /// The maximum number of attempts of a read whose time limit passes while other threads use the processor.
    private static let mostAttempts = 20

    /// Runs the body until it has used its CPU time.
    ///
    /// - Parameter deadline: The CPU time of the thread at which the read ends.
    /// - Throws: ``ReadError/Code/tookTooLong`` with the limit, even if less than the limit was left until the
    ///   deadline.
    fileprivate func read<T>(
        within limit: Duration, until deadline: Duration, _ body: (any Connection) throws -> T
    ) throws -> T {
        for _ in 0..<Self.mostAttempts {
            let rest = deadline - ThreadCPUTime.now
            guard rest > .zero else { break }
            do {
                return try read(within: rest, body)
            } catch let error as ReadError where error.code == .tookTooLong {
                continue
            }
        }
        throw ReadError.tookTooLong(limit: limit)
    }
}

/// The CPU time of a thread: the time in which it ran, without the time of other threads.
///
/// A page needs about the same CPU time on a busy machine as on an idle one.
enum ThreadCPUTime {
    /// The CPU time since the thread began. Only times of the same thread can be compared.
    static var now: Duration {
        var time = timespec()
        // The call fails only for unknown clocks, and this one exists.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
