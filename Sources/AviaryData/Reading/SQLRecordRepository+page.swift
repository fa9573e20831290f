package import AviaryDomain
import Foundation

extension SQLRecordRepository {
    /// Above any page that a person reads; keeps one read bounded, whatever is asked for.
    private static let largestPage = 10_000

    /// - Throws: ``PageRequestError`` when the list cannot be sorted so. `id` sorts any list.
    package func page(_ request: PageRequest) async throws -> Page {
        let query = try listQuery(sortedBy: request.sort.property)
        return try readers.read { connection in
            try connection.snapshot {
                try PageReader(
                    query: query, reader: reader, connection: connection,
                    isAscending: request.sort.direction == .ascending,
                    size: min(max(1, request.size), Self.largestPage)
                ).page(request.cursor)
            }
        }
    }

    func listQuery(sortedBy property: String) throws(PageRequestError) -> ListQuery {
        if property == "id" { return ListQuery(table, selection: reader.selection, sortedBy: nil) }
        guard let index = schema.storedIndex(of: property) else {
            throw .unknownProperty(model: schema.name, property: property)
        }
        guard isSortable(property) else { throw .notSortable(model: schema.name, property: property) }
        return ListQuery(table, selection: reader.selection, sortedBy: index)
    }
}
