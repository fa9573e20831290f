import AviaryDesign
import AviaryDomain

extension ChangeWords {
    /// Of an account: what it has for its own use is told by what came of it, or not at all.
    func accountDifference(
        _ name: String, _ change: FieldChange, _ property: PropertySchema?, _ kind: RecordChange.Kind
    ) -> FieldDifference? {
        switch name {
        case "role":
            let words = ValueWords(scope: scope, titles: titles)
            let (before, after) = (words.text(change.before, of: property), words.text(change.after, of: property))
            return FieldDifference(
                property?.label ?? localized("Role"), before: before?.translated, after: after?.translated)
        case "epoch":
            guard kind == .update else { return nil }
            return FieldDifference(
                localized("Sessions"), before: nil, after: nil, remark: localized("Ended everywhere"))
        case "lastOneTimeStep":
            // It is 0 with a new second factor, which is told itself.
            guard kind == .update, change.after != .integer(0) else { return nil }
            return FieldDifference(
                localized("Second factor"), before: nil, after: nil, remark: localized("A code was used"))
        case "passwordHash": return difference(name, change, property, kind, label: localized("Password"))
        case "oneTimeSecret": return difference(name, change, property, kind, label: localized("Second factor"))
        case "recoveryHashes": return difference(name, change, property, kind, label: localized("Recovery codes"))
        case "isDisabled": return difference(name, change, property, kind, label: localized("Disabled"))
        default: return difference(name, change, property, kind)
        }
    }
}
