package import AviaryDomain
import Foundation

/// The models whose changes somebody may see, with their records. What is not among them is neither told nor counted.
package struct ActivityScope: Sendable {
    package let principal: Principal
    /// In the order of the admin's declaration.
    package let records: [any RecordRepository]
    private let byModel: [String: any RecordRepository]

    /// - Parameter records: Of every model that the admin shows, and of accounts.
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

    /// Of those that may be seen.
    func schema(slug: String) -> ModelSchema? {
        records.first { $0.schema.slug == slug }?.schema
    }

    /// `3 animals`, or `3 other records` of what may not be seen.
    func counted(_ model: String, _ count: Int) -> String {
        schema(model)?.counted(count) ?? Words.otherRecords(count)
    }
}

/// What records are called: as they are now, or as the history last knew them.
struct RecordTitles: Sendable {
    private var titles: [RecordKey: String] = [:]
    /// Those that are there now.
    private var existing: Set<RecordKey> = []

    /// Reads the titles, in one statement for each model.
    ///
    /// - Throws: `ReadError`.
    static func read(_ keys: Set<RecordKey>, in scope: ActivityScope) async throws -> RecordTitles {
        var titles = RecordTitles()
        for (model, keys) in Dictionary(grouping: keys, by: \.model) {
            guard let records = scope.records(model) else { continue }
            for choice in try await records.choices(of: keys.map(\.id).sorted { $0.uuidString < $1.uuidString }) {
                let key = RecordKey(model: model, id: choice.id)
                titles.existing.insert(key)
                // Nobody knows a record by its id.
                if choice.title != choice.id.canonicalText { titles.titles[key] = choice.title }
            }
        }
        return titles
    }

    /// So many records that are gone are looked up for a page; others are told without a name.
    private static let mostGone = 50

    /// Reads from the history what those of the records were called that are gone.
    ///
    /// - Throws: `ReadError`.
    mutating func readGone(_ keys: Set<RecordKey>, in scope: ActivityScope, history: any HistoryRepository) async throws
    {
        let gone = keys.filter { titles[$0] == nil && !existing.contains($0) && scope.schema($0.model) != nil }
        for key in gone.sorted(by: { $0.id.uuidString < $1.id.uuidString }).prefix(Self.mostGone) {
            let last = try await history.changes(of: key.id, in: key.model, before: nil, limit: 1)
            if let title = last.first?.title(in: scope) { add(title, of: key) }
        }
    }

    /// Nil where there is none: the record is gone, or has no name.
    func title(_ key: RecordKey) -> String? { titles[key] }

    func exists(_ key: RecordKey) -> Bool { existing.contains(key) }

    /// A title from the history, where the record itself does not tell one.
    mutating func add(_ title: String, of key: RecordKey) {
        if titles[key] == nil { titles[key] = title }
    }
}

/// A record of whatever model.
struct RecordKey: Sendable, Hashable {
    let model: String
    let id: UUID
}
