package import AviaryDomain

/// What happened beside changes of records: who signed in, what left the store. For whoever manages accounts.
package struct EventsViewModel: Sendable {
    package let query: ActivityQuery
    let principal: Principal
    let accounts: AccountRepository
    private let cursor: FetchCursor?
    private(set) var events: [AuditEvent]?
    private(set) var next: FetchCursor?
    package private(set) var errorMessage: String?

    private static let pageSize = 50

    /// - Parameter cursor: Where the page before ended.
    /// - Throws: ``AccessRefusal``.
    package init(
        query: ActivityQuery, after cursor: FetchCursor?, principal: Principal, accounts: AccountRepository
    ) throws(AccessRefusal) {
        try principal.check(.accounts)
        self.query = query
        self.principal = principal
        self.accounts = accounts
        self.cursor = cursor
    }

    var isFirst: Bool { cursor == nil }

    /// - Throws: When the place is one of other events.
    package mutating func load() async throws(ActivityQueryError) {
        do {
            let page = try await accounts.fetchEvents(
                of: query.person, time: query.time, after: cursor, size: Self.pageSize)
            events = page.records
            next = page.next
        } catch is QueryError {
            throw ActivityQueryError(name: "after")
        } catch {
            errorMessage = localized("The events cannot be read at the moment. Try again, or begin with the newest.")
        }
    }
}
