package import AviaryDomain
package import Foundation

/// The list of one model: what a page of it shows and what can be done with its rows.
package struct ListViewModel: Sendable {
    package let configuration: ModelConfiguration
    package private(set) var query: ListQuery
    /// The rows, once loaded.
    package private(set) var page: Page?
    /// What stands in the to-many columns, by property name and record.
    package private(set) var related: [String: [UUID: RelatedSummary]] = [:]
    /// What went wrong, in words for the person looking at the list.
    package private(set) var errorMessage: String?

    let repository: any RecordRepository
    package let principal: Principal

    /// - Throws: ``AccessRefusal`` for whoever may not view the model.
    package init(
        configuration: ModelConfiguration, query: ListQuery, repository: any RecordRepository, principal: Principal
    ) throws(AccessRefusal) {
        try principal.check(.view, configuration.schema)
        self.configuration = configuration
        self.query = query
        self.repository = repository
        self.principal = principal
    }

    package var schema: ModelSchema { configuration.schema }
    package var paths: ModelPaths { ModelPaths(schema) }
    package var canAdd: Bool { principal.may(.add, schema.name) }
    package var canDelete: Bool { principal.may(.delete, schema.name) }
    /// Those of the configuration's that may be seen: what another model is called is told only to whoever may view it.
    package var columns: [String] {
        configuration.columns.filter { name in
            guard let other = schema.property(name)?.type.model else { return true }
            return principal.may(.view, other)
        }
    }
    /// The query string that leads back to this part of the list.
    package var location: String { query.text(for: configuration) }

    /// Reads the rows. A page that has become empty because its rows were deleted becomes the first.
    package mutating func load() async {
        do {
            var page = try await repository.page(query.request)
            if page.records.isEmpty, query.cursor != nil {
                query = ListQuery(sort: query.sort, size: query.size)
                page = try await repository.page(query.request)
            }
            related = try await related(to: page.records.map(\.id))
            self.page = page
            errorMessage = nil
        } catch {
            errorMessage = "The \(schema.pluralName) could not be read. Try again in a moment."
        }
    }

    /// In one read for each column, however many rows there are.
    private func related(to ids: [UUID]) async throws -> [String: [UUID: RelatedSummary]] {
        var related: [String: [UUID: RelatedSummary]] = [:]
        for name in columns {
            guard case .toMany = schema.property(name)?.type else { continue }
            related[name] = try await repository.related(to: ids, by: name, limit: Self.titlesInCell)
        }
        return related
    }

    private static let titlesInCell = 3

    /// Where a new record is begun.
    package func startCreation() -> String {
        paths.new.withQuery(location)
    }
}
