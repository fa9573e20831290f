package import AviaryDomain

/// The list of one model: what a page of it shows and what can be done with its rows.
package struct ListViewModel: Sendable {
    package let configuration: ModelConfiguration
    package private(set) var query: ListQuery
    /// The rows, once loaded.
    package private(set) var page: Page?
    /// What went wrong, in words for the person looking at the list.
    package private(set) var errorMessage: String?

    let repository: any RecordRepository
    let author: String

    package init(
        configuration: ModelConfiguration, query: ListQuery, repository: any RecordRepository, author: String
    ) {
        self.configuration = configuration
        self.query = query
        self.repository = repository
        self.author = author
    }

    package var schema: ModelSchema { configuration.schema }
    package var paths: ModelPaths { ModelPaths(schema) }
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
            self.page = page
            errorMessage = nil
        } catch {
            errorMessage = "The \(schema.pluralName) could not be read. Try again in a moment."
        }
    }

    /// Where a new record is begun.
    package func startCreation() -> String {
        paths.new.withQuery(location)
    }
}
