import AviaryDomain
import Foundation

/// What a whole commit did to one record, however many steps it took.
struct NetChange {
    let model: String
    let record: UUID
    /// Whether the record was there before, and after.
    let existedBefore: Bool
    private(set) var existsAfter: Bool
    /// Before and after, by property: all of them when the record began or ended, else what was changed.
    private(set) var fields: [String: FieldChange]

    init(_ change: RecordChange) {
        model = change.model
        record = change.record
        existedBefore = change.kind != .insert
        existsAfter = change.kind != .delete
        fields = change.fields
    }

    private mutating func add(_ later: RecordChange) {
        existsAfter = later.kind != .delete
        for (name, field) in later.fields {
            fields[name] = FieldChange(before: fields[name]?.before ?? field.before, after: field.after)
        }
    }

    /// In the order in which the commit first touched them.
    static func all(of changes: [RecordChange]) -> [NetChange] {
        struct Key: Hashable {
            let model: String
            let record: UUID
        }
        var indexes: [Key: Int] = [:]
        var result: [NetChange] = []
        for change in changes {
            let key = Key(model: change.model, record: change.record)
            if let index = indexes[key] {
                result[index].add(change)
            } else {
                indexes[key] = result.count
                result.append(NetChange(change))
            }
        }
        return result
    }
}
