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
