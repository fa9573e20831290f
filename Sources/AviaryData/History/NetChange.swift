import AviaryDomain
import Foundation

/// Names a record of any model.
struct RecordKey: Hashable {
    let model: String
    let id: UUID
}

/// What a whole commit did to one record, however many steps it took.
struct NetChange {
    let key: RecordKey
    /// Whether the record was there before, and after.
    let existedBefore: Bool
    private(set) var existsAfter: Bool
    /// Before and after, by property: all of them when the record began or ended, else what was changed.
    private(set) var fields: [String: FieldChange]

    init(_ change: RecordChange) {
        key = RecordKey(model: change.model, id: change.record)
        existedBefore = change.kind != .insert
        existsAfter = change.kind != .delete
        fields = change.fields
    }

    private mutating func add(_ later: RecordChange) {
        existsAfter = later.kind != .delete
        for (name, field) in later.fields {
            let isSecret = field.isSecret || fields[name]?.isSecret == true
            fields[name] =
                isSecret ? .secret : FieldChange(before: fields[name]?.before ?? field.before, after: field.after)
        }
    }

    static func all(of changes: [RecordChange]) -> [RecordKey: NetChange] {
        var result: [RecordKey: NetChange] = [:]
        for change in changes where !change.kind.isOfLink {
            result[RecordKey(model: change.model, id: change.record), default: NetChange(change)].add(change)
        }
        return result
    }
}

extension RecordChange.Kind {
    /// Whether a link began or ended, and not a record.
    var isOfLink: Bool { self == .link || self == .unlink }
}
