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
