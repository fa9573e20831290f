package import AviaryDomain
import Foundation

/// The models whose changes a user is allowed to see, with their records. Other models are neither shown nor
/// counted.
package struct ActivityScope: Sendable {
    package let principal: Principal
    /// The repositories in the order of the admin's declaration.
    package let records: [any RecordRepository]
    private let byModel: [String: any RecordRepository]

    /// Creates the scope of a principal.
    ///
    /// - Parameter records: The repositories of all models that the admin shows, and of accounts.
    package init(principal: Principal, records: [any RecordRepository]) {
        self.principal = principal
        self.records = records.filter { records in
            records.schema.isBuiltIn ? principal.may(.accounts) : principal.may(.view, records.schema.name)
        }
        byModel = Dictionary(self.records.map { ($0.schema.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var models: Set<String> { Set(byModel.keys) }

    func schema(_ model: String) -> ModelSchema? { byModel[model]?.schema }

    func records(_ model: String) -> (any RecordRepository)? { byModel[model] }

    /// Returns the visible model with the slug.
    func schema(slug: String) -> ModelSchema? {
        records.first { $0.schema.slug == slug }?.schema
    }

    /// Returns the count in words: `3 animals`, or `3 other records` for a model that is not visible.
    func counted(_ model: String, _ count: Int) -> String {
        schema(model)?.counted(count) ?? TextFormatter.otherRecords(count)
    }
}

/// The titles of records: current ones, or the last ones that the history contains.
struct RecordTitles: Sendable {
    private var titles: [RecordKey: String] = [:]
    /// The records that exist now.
    private var existing: Set<RecordKey> = []

    /// Reads the titles, with one statement for each model.
    ///
    /// - Throws: `ReadError`.
    static func read(_ keys: Set<RecordKey>, in scope: ActivityScope) async throws -> RecordTitles {
        var titles = RecordTitles()
        for (model, keys) in Dictionary(grouping: keys, by: \.model) {
            guard let records = scope.records(model) else { continue }
            for choice in try await records.choices(of: keys.map(\.id).sorted { $0.uuidString < $1.uuidString }) {
                let key = RecordKey(model: model, id: choice.id)
                titles.existing.insert(key)
                // Users do not recognize a record by its identifier.
                if choice.title != choice.id.canonicalText { titles.titles[key] = choice.title }
            }
        }
        return titles
    }

    /// The largest number of deleted records whose titles are read for a page. Others are shown without a title.
    private static let mostGone = 50

    /// Reads the titles of deleted records from the history.
    ///
    /// - Throws: `ReadError`.
    mutating func readGone(_ keys: Set<RecordKey>, in scope: ActivityScope, history: any HistoryRepository) async throws
    {
        let gone = keys.filter { titles[$0] == nil && !existing.contains($0) && scope.schema($0.model) != nil }
        for key in gone.sorted(by: { $0.id.uuidString < $1.id.uuidString }).prefix(Self.mostGone) {
            let last = try await history.changes(of: key.id, in: key.model, before: nil, limit: 1)
            if let title = last.first?.title(in: scope, self) { add(title, of: key) }
        }
    }

    /// Returns the title of a record, or nil if the record was deleted without a known title or has none.
    func title(_ key: RecordKey) -> String? { titles[key] }

    func exists(_ key: RecordKey) -> Bool { existing.contains(key) }

    /// Adds a title from the history if the record itself does not have one.
    mutating func add(_ title: String, of key: RecordKey) {
        if titles[key] == nil { titles[key] = title }
    }
}
