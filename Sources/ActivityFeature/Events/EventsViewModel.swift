package import AviaryDomain
package import Foundation

/// What happened beside changes of records: who signed in, what left the store. For whoever manages accounts.
package struct EventsViewModel: Sendable {
    package let query: ActivityQuery
    let principal: Principal
    let accounts: AccountRepository
    let now: Date
    private let cursor: FetchCursor?
    private(set) var events: [AuditEvent]?
    private(set) var next: FetchCursor?
    package private(set) var errorMessage: String?

    private static let pageSize = 50

    /// - Parameter after: Where the page before ended.
    /// - Throws: ``AccessRefusal``.
    package init(
        query: ActivityQuery, after: String?, principal: Principal, accounts: AccountRepository, at now: Date
    ) throws(AccessRefusal) {
        try principal.check(.accounts)
        self.query = query
        self.principal = principal
        self.accounts = accounts
        self.now = now
        cursor = after.flatMap { FetchCursor($0) }
    }

    var isFirst: Bool { cursor == nil }

    package mutating func load() async {
        do {
            let page = try await accounts.fetchEvents(of: query.person, time: query.time, after: cursor, size: Self.pageSize)
            events = page.records
            next = page.next
        } catch {
            errorMessage = "The events cannot be read at the moment. Try again, or begin with the newest."
        }
    }
}
