import AviaryDomain
import Foundation

/// Names a record of any model.
struct RecordKey: Hashable {
    let model: String
    let id: UUID
}

/// The effect of a whole commit on one record, however many steps it took.
struct NetChange {
    let key: RecordKey
    /// A Boolean value that indicates whether the record existed before the commit.
    let existedBefore: Bool
    /// A Boolean value that indicates whether the record exists after the commit.
    private(set) var existsAfter: Bool
    /// The values before and after, by property: all of a record that was inserted or deleted, otherwise the changed
    /// ones.
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
    /// A Boolean value that indicates whether the change is that of a link and not of a record.
    var isOfLink: Bool { self == .link || self == .unlink }
}
