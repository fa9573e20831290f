import AviaryDomain

extension SQLRecordRepository {
    /// The work that one page may take, in place on a thread that serves others too.
    private static let pageLimit: Duration = .milliseconds(50)
    /// Of that, for finding out how to read it.
    private static let planLimit: Duration = .milliseconds(15)
    /// Of that, for counting once it is read: nobody waits long for a number.
    private static let countLimit: Duration = .milliseconds(5)

    func narrowedPage(_ request: PageRequest) throws -> Page {
        let deadline = ThreadCPUTime.now + Self.pageLimit
        let sort = try sortIndex(request.sort.property)
        let size = size(of: request)
        let plan = try plan(request.conditions, size: size)
        let narrowing = try narrowing(request.conditions, plan.way, sortedBy: sort)
        let query = ListQuery(
            table, selection: "SELECT record.id FROM \(table.name) AS record", sortedBy: sort, narrowing: narrowing)
        let page = try readers.read(within: Self.pageLimit, until: deadline) { connection in
            try connection.snapshot {
                try PageReader(
                    query: query, reader: reader, connection: connection,
                    isAscending: request.sort.direction == .ascending, size: size, readsIDs: true
                ).page(request.cursor)
            }
        }
        return Page(
            records: page.records, previous: page.previous, next: page.next, total: page.total,
            matches: try plan.matches ?? count(page, narrowing, of: request, until: deadline)
        )
    }

    private func plan(_ conditions: [QueryExpression], size: Int) throws -> ListPlan {
        let deadline = ThreadCPUTime.now + Self.planLimit
        let found = try conditions.map { condition in
            readers.aids.finds(condition, of: table)
                ? try count(narrowing([condition], .collect(0), sortedBy: nil), until: deadline) : nil
        }
        return ListPlan(found: found, total: try readers.read { try TotalTable.count(schema.name, in: $0) }, size: size)
    }

    private func narrowing(
        _ conditions: [QueryExpression], _ way: ListPlan.Way, sortedBy sort: Int?
    ) throws -> Narrowing {
        try Narrowing(conditions, way, sortedBy: sort.map { schema.storedProperties[$0].name }, of: table, readers.aids)
    }

    private func count(
        _ page: Page, _ narrowing: Narrowing, of request: PageRequest, until deadline: Duration
    ) throws -> MatchCount {
        if request.cursor == nil, page.next == nil { return .exactly(page.records.count) }
        let count = try count(narrowing, until: min(deadline, ThreadCPUTime.now + Self.countLimit))
        guard let count, count <= MatchCount.mostCounted else {
            return .atLeast(count == nil ? page.records.count : MatchCount.mostCounted)
        }
        return .exactly(count)
    }

    /// Up to one more than ``MatchCount/mostCounted``; nil when that takes too long.
    private func count(_ narrowing: Narrowing, until deadline: Duration) throws -> Int? {
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM \(table.name) AS record WHERE \(narrowing.text) LIMIT ?) AS found"
        let most = FieldValue.integer(Int64(MatchCount.mostCounted + 1))
        do {
            return try readers.read(within: Self.pageLimit, until: deadline) { connection in
                try connection.firstRow(sql, narrowing.values + [most]) { Int($0.integer(0)) }
            }
        } catch ReadError.tookTooLong {
            return nil
        }
    }
}

extension ReaderPool {
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
