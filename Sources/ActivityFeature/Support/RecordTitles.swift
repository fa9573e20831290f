import AviaryDomain
import Foundation

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

    /// Nil where there is none: the record is gone, or has no name.
    func title(_ key: RecordKey) -> String? { titles[key] }

    func exists(_ key: RecordKey) -> Bool { existing.contains(key) }

    /// A title from the history, where the record itself does not tell one.
    mutating func add(_ title: String, of key: RecordKey) {
        if titles[key] == nil { titles[key] = title }
    }
}
