import AviaryDesign
import AviaryDomain
import Foundation

/// The description of changes in words, with labels and with titles of referenced records.
struct ChangeFormatter {
    let scope: ActivityScope
    let titles: RecordTitles

    /// Reads the titles that the changes need.
    ///
    /// - Parameters:
    ///   - history: The history, which contains the titles of deleted records.
    ///   - others: Further records that the page names.
    /// - Throws: `ReadError`.
    init(
        _ changes: [RecordChange], in scope: ActivityScope, history: any HistoryRepository,
        besides others: Set<RecordKey> = []
    ) async throws {
        var keys = others
        for change in changes {
            keys.insert(change.key)
            keys.formUnion(change.references(in: scope))
        }
        var titles = try await RecordTitles.read(keys, in: scope)
        for change in changes {
            if let title = change.title(in: scope, titles) { titles.add(title, of: change.key) }
        }
        try await titles.readGone(keys, in: scope, history: history)
        self.scope = scope
        self.titles = titles
    }

    /// Returns the visible differences of a change, or nil if its model is not visible.
    ///
    /// - Parameter limit: The largest number of fields.
    func difference(_ change: RecordChange, fields limit: Int) -> RecordDifference? {
        guard let schema = scope.schema(change.model) else { return nil }
        let fields = fields(of: change, schema)
        let rest = fields.count - limit
        let shown =
            fields.prefix(limit)
            + (rest > 0
                ? [
                    FieldDifference(
                        localized("More"), before: nil,
                        after: localized(rest, one: "1 other field", other: "\(rest) other fields"))
                ] : [])
        return RecordDifference(
            change.kind.tone, what: change.kind.sentence(schema.singularName), title: titles.title(change.key),
            href: titles.exists(change.key) ? page(change) : nil, fields: Array(shown)
        )
    }

    private func page(_ change: RecordChange) -> String? {
        guard let schema = scope.schema(change.model) else { return nil }
        // An account has its own page, with its name in the address.
        guard schema.isBuiltIn else { return ModelPaths(schema).record(change.record) }
        return titles.title(change.key).map { ModelPaths.admin + "/accounts/" + FormEncoding.escape($0) }
    }

    /// Returns the fields in the order of the model, followed by those that the model no longer has.
    private func fields(of change: RecordChange, _ schema: ModelSchema) -> [FieldDifference] {
        let order = Dictionary(
            schema.properties.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        return change.fields.filter { scope.principal.maySee($0.key, of: schema) }.sorted {
            (order[$0.key] ?? .max, $0.key) < (order[$1.key] ?? .max, $1.key)
        }
        .compactMap { name, field in
            let property = schema.property(name)
            guard schema.name == Account.modelName else { return difference(name, field, property, change.kind) }
            return accountDifference(name, field, property, change.kind)
        }
    }

    /// Returns the difference of one field, or nil if it is not shown.
    ///
    /// - Parameter label: A label that replaces the property's own.
    func difference(
        _ name: String, _ change: FieldChange, _ property: PropertySchema?, _ kind: RecordChange.Kind,
        label: String? = nil
    ) -> FieldDifference? {
        // Titles of another model are shown only to users who are allowed to view it.
        if let other = property?.type.model, scope.schema(other) == nil { return nil }
        let label =
            label ?? property?.label
            ?? TextFormatter.capitalized(TextFormatter.split(name).joined(separator: " ").lowercased()).translated
        // A secret is hidden even if the property was not secret when the change was written. If there was no value
        // before or after, nothing is shown.
        if property?.isSecret == true, !change.isSecret, change.before.isNull, change.after.isNull { return nil }
        guard !change.isSecret, property?.isSecret != true else {
            return FieldDifference(
                label, before: nil, after: nil,
                remark: kind == .update ? localized("Changed (secret)") : localized("Secret"))
        }
        let words = ValueFormatter(scope: scope, titles: titles)
        if kind == .link || kind == .unlink {
            return FieldDifference(
                label, before: words.text(change.before, of: property), after: words.text(change.after, of: property))
        }
        if kind == .update, case (.text(let before), .text(let after)) = (change.before, change.after),
            property?.isLongText == true
        {
            let (before, after) = ValueFormatter.differing(before, after)
            return FieldDifference(
                label, before: before.isEmpty ? localized("(empty)") : before,
                after: after.isEmpty ? localized("(empty)") : after)
        }
        let (before, after) = (words.text(change.before, of: property), words.text(change.after, of: property))
        guard before != nil || after != nil else { return nil }
        // In an update, null is a value too.
        guard kind == .update else { return FieldDifference(label, before: before, after: after) }
        return FieldDifference(label, before: before ?? localized("no value"), after: after ?? localized("no value"))
    }
}

extension PropertySchema {
    /// Indicates whether the values are shown as texts and may differ far from their beginning.
    fileprivate var isLongText: Bool { type == .string || type == .json && embeddedProperties == nil }
}

extension RecordChange {
    var key: RecordKey { RecordKey(model: model, id: record) }

    /// Returns the records that the fields reference.
    fileprivate func references(in scope: ActivityScope) -> [RecordKey] {
        guard let schema = scope.schema(model) else { return [] }
        return fields.flatMap { name, change -> [RecordKey] in
            guard let other = schema.property(name)?.type.model, scope.schema(other) != nil else { return [] }
            return [change.before, change.after].compactMap { value in
                guard case .text(let text) = value, let id = UUID(canonicalText: text) else { return nil }
                return RecordKey(model: other, id: id)
            }
        }
    }

    /// Returns the title of the record, if the change contains all of its parts.
    func title(in scope: ActivityScope, _ titles: RecordTitles) -> String? {
        guard kind == .insert || kind == .update || kind == .delete, let schema = scope.schema(model) else {
            return nil
        }
        let parts = Set(schema.titleParts.map(\.name))
        let isWhole = kind != .update
        guard isWhole || !schema.title.isComputed, isWhole || parts.allSatisfy({ fields[$0] != nil }) else {
            return nil
        }
        let values = schema.storedProperties.map { property -> FieldValue in
            guard let change = fields[property.name], !change.isSecret else { return .null }
            return change.after.isNull ? change.before : change.after
        }
        let others = zip(schema.storedProperties, values).map { property, value -> String? in
            guard let other = property.type.model, case .text(let text) = value, let id = UUID(canonicalText: text)
            else { return nil }
            return titles.title(RecordKey(model: other, id: id))
        }
        return Record(id: record, version: 0, values: values, referenceTitles: others).shownTitle(in: schema)
    }
}

extension RecordChange.Kind {
    fileprivate var tone: RecordDifference.Kind {
        switch self {
        case .insert: .added
        case .update, .link, .unlink: .changed
        case .delete: .deleted
        }
    }

    /// Returns the kind with its object, for example `Added animal “Kea”`.
    func sentence(_ what: String) -> String {
        switch self {
        case .insert: localized("Added \(what)")
        case .update: localized("Changed \(what)")
        case .delete: localized("Deleted \(what)")
        case .link: localized("Linked \(what)")
        case .unlink: localized("Unlinked \(what)")
        }
    }

    /// The verb without an object.
    var verb: String {
        switch self {
        case .insert: localized("Added")
        case .update: localized("Changed")
        case .delete: localized("Deleted")
        case .link: localized("Linked")
        case .unlink: localized("Unlinked")
        }
    }
}

extension ChangeFormatter {
    /// Returns the difference of an account's field. Internal fields are described by their effect or omitted.
    func accountDifference(
        _ name: String, _ change: FieldChange, _ property: PropertySchema?, _ kind: RecordChange.Kind
    ) -> FieldDifference? {
        switch name {
        case "role":
            let words = ValueFormatter(scope: scope, titles: titles)
            let (before, after) = (words.text(change.before, of: property), words.text(change.after, of: property))
            return FieldDifference(
                property?.label ?? localized("Role"),
                before: before.map { TextFormatter.capitalized($0.translated) },
                after: after.map { TextFormatter.capitalized($0.translated) })
        case "epoch":
            guard kind == .update else { return nil }
            return FieldDifference(
                localized("Sessions"), before: nil, after: nil, remark: localized("Signed out everywhere"))
        case "lastOneTimeStep":
            // The value is 0 for a new second factor, which is described itself.
            guard kind == .update, change.after != .integer(0) else { return nil }
            return FieldDifference(
                localized("Two-factor authentication"), before: nil, after: nil, remark: localized("Used a code"))
        case "passwordHash": return difference(name, change, property, kind, label: localized("Password"))
        case "oneTimeSecret":
            return difference(name, change, property, kind, label: localized("Two-factor authentication"))
        case "recoveryHashes": return difference(name, change, property, kind, label: localized("Recovery codes"))
        case "isDisabled": return difference(name, change, property, kind, label: localized("Disabled"))
        default: return difference(name, change, property, kind)
        }
    }
}

/// The conversion of stored values into the words that lists and sheets show.
struct ValueFormatter {
    let scope: ActivityScope
    let titles: RecordTitles

    /// The largest number of array elements. Two arrays may differ only in the last one.
    private static let mostElements = 50
    /// The number of characters shown before the first difference of two long texts.
    private static let context = 40

    /// Returns the words for a value, or nil for null. The property may have another type than when the value was
    /// stored.
    func text(_ value: FieldValue, of property: PropertySchema?) -> String? {
        guard let property else { return value.isNull ? nil : TextFormatter.beginning(of: value.formText) }
        let text = property.words(for: value, elements: Self.mostElements) { id in
            property.type.model.flatMap { name(RecordKey(model: $0, id: id)) }
        }
        return text == "" ? localized("(empty)") : text
    }

    /// Returns the name of a record. A record without a title is named by its model, so that it does not look
    /// deleted.
    private func name(_ key: RecordKey) -> String? {
        titles.title(key)
            ?? (titles.exists(key) ? scope.schema(key.model).map { TextFormatter.withArticle($0.singularName) } : nil)
    }

    /// Returns the parts of two texts around their first difference. The beginnings of long texts may be equal.
    static func differing(_ before: String, _ after: String) -> (String, String) {
        guard max(before.count, after.count) > TextFormatter.longestBeginning else { return (before, after) }
        let shared = zip(before, after).prefix { $0 == $1 }.count
        let start = max(0, shared - context)
        func part(_ text: String) -> String {
            (start > 0 ? "…" : "") + TextFormatter.beginning(of: String(text.dropFirst(start)))
        }
        return (part(before), part(after))
    }
}
