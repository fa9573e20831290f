import AviaryDomain
import Foundation

/// The records of one model in memory, sorted by their first value, with the responses that a test configures.
actor RecordsInMemory: RecordRepository {
    struct Unreadable: Error {}

    nonisolated let schema: ModelSchema
    var records: [Record]
    /// The store's error for a delete; nil if the delete succeeds.
    var refusal: StoreError?
    var plan = DeletePlan(requested: 1, cascades: [:], nullifies: [:])
    var isReadable = true
    private(set) var deletions: [Deletion] = []
    /// The reads, in order.
    private(set) var reads: [String] = []
    /// Indicates whether a page exceeds the limit of work.
    private var isTooMuch = false
    /// The records that others reference.
    private var denied: Set<UUID> = []

    init(_ schema: ModelSchema, _ records: [Record] = [], refusal: StoreError? = nil, isReadable: Bool = true) {
        self.schema = schema
        self.records = records
        self.refusal = refusal
        self.isReadable = isReadable
    }

    func set(plan: DeletePlan) { self.plan = plan }
    func makeTooMuch() { isTooMuch = true }
    func deny(_ ids: Set<UUID>) { denied = ids }
    func add(_ record: Record) { records.append(record) }

    func page(_ request: PageRequest) async throws -> Page {
        guard isReadable else { throw Unreadable() }
        reads += ["page"] + request.relations
        if isTooMuch { throw ReadError.tookTooLong(limit: .milliseconds(50)) }
        if request.sort.property == "id" { return pageByID(request) }
        let all = records.sorted { text(of: $0) < text(of: $1) }
        let found =
            switch request.cursor {
            case nil: all
            case .after(let position): all.filter { text(of: $0) > position.value.formText }
            case .before(let position): all.filter { text(of: $0) < position.value.formText }
            }
        let page = Array(found.prefix(request.size))
        return Page(
            records: page, previous: request.cursor == nil ? nil : page.first.map(position),
            next: found.count > page.count ? page.last.map(position) : nil, total: all.count,
            matches: request.conditions.isEmpty ? nil : .exactly(all.count),
            related: Dictionary(
                uniqueKeysWithValues: request.relations.map { name in
                    (name, Dictionary(uniqueKeysWithValues: page.map { ($0.id, RelatedSummary.none) }))
                })
        )
    }

    func find(_ id: UUID) async throws -> Record? {
        guard isReadable else { throw Unreadable() }
        return records.first { $0.id == id }
    }

    func delete(ids: [UUID], as deletion: Deletion) async throws(StoreError) -> Receipt {
        deletions.append(deletion)
        if let refusal { throw refusal }
        if !denied.isDisjoint(with: ids) {
            deletions.removeLast()
            throw .deleteDenied(model: schema.name, referencedBy: "Animal", count: 1)
        }
        let deleted = Set(ids)
        records.removeAll { deleted.contains($0.id) }
        return Receipt(changeSet: deletion.changeSet, commit: 1, isRepeat: false)
    }

    func deletePlan(for ids: [UUID]) async throws -> DeletePlan {
        guard isReadable else { throw Unreadable() }
        return plan
    }

    func fetchAll() async throws -> [Record] { records }
    func count() async throws -> Int { records.count }
    func fetch(_ query: RecordQuery) async throws -> [Record] { [] }
    /// Returns the existing records among the requested identifiers, or those within bounds of identifiers.
    func identifiers(_ query: RecordQuery) async throws -> [UUID] {
        guard isReadable else { throw Unreadable() }
        var condition = query.condition
        if let bounds = condition?.bounds {
            let ids = records.map { (id: $0.id, text: $0.id.canonicalText) }.sorted { $0.text < $1.text }
            return ids.lazy.filter { id in bounds.allSatisfy { $0(id.text) } }.prefix(query.limit ?? .max).map(\.id)
        }
        while case .and(let first, let rest)? = condition {
            if case .isMember = rest { condition = rest } else { condition = first }
        }
        guard case .isMember(_, of: let list)? = condition else { return [] }
        return records.map(\.id).filter { list.contains($0.fieldValue) }.sorted { $0.canonicalText < $1.canonicalText }
    }
    func ids(where values: [String: FieldValue], limit: Int) async throws -> [UUID] { [] }
    func choices(limit: Int) async throws -> [RecordChoice] { [] }
    func choices(matching text: String, limit: Int) async throws -> ChoiceMatches {
        ChoiceMatches(choices: [], isComplete: true)
    }
    func choices(of ids: [UUID]) async throws -> [RecordChoice] { [] }
    func related(to ids: [UUID], by property: String, limit: Int) async throws -> [UUID: RelatedSummary] {
        reads.append("related")
        return [:]
    }

    func save(_ submission: RecordSubmission) async throws(StoreError) -> Receipt {
        throw .unavailable("a list saves nothing")
    }

    private func pageByID(_ request: PageRequest) -> Page {
        let all = records.sorted { $0.id.canonicalText < $1.id.canonicalText }
        let found =
            if case .after(let position) = request.cursor {
                all.filter { $0.id.canonicalText > position.id.canonicalText }
            } else { all }
        return Page(records: Array(found.prefix(request.size)), previous: nil, next: nil, total: all.count)
    }

    private func text(of record: Record) -> String { record.values.first?.formText ?? "" }
    private func position(_ record: Record) -> KeysetPosition {
        KeysetPosition(value: record.values.first ?? .null, id: record.id)
    }
}

extension QueryExpression {
    /// The comparisons of the identifier; nil if the expression has another condition.
    fileprivate var bounds: [(String) -> Bool]? {
        switch self {
        case .and(let first, let rest):
            guard let first = first.bounds, let rest = rest.bounds else { return nil }
            return first + rest
        case .ordered(let order, .id, .constant(let value)):
            return [
                { id in
                    switch order {
                    case .greater: id > value.formText
                    case .lessOrEqual: id <= value.formText
                    default: false
                    }
                }
            ]
        default: return nil
        }
    }
}
