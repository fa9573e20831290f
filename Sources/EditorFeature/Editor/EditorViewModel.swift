package import AviaryDomain
package import Foundation

/// The view model of one record that is being added or edited: the typed texts, their problems, and the actions of
/// Save and Cancel.
///
/// It contains texts as typed, not values, so that a half-typed number is kept.
package struct EditorViewModel: Sendable {
    package let schema: ModelSchema
    /// The identifier of the draft. It becomes the identifier of the change set on Save.
    package internal(set) var draft: UUID
    /// The identifier of the record to create or change.
    package internal(set) var record: UUID
    /// The version that the editor loaded; nil for a new record.
    package internal(set) var version: Int64?
    /// The record as stored; nil for a new record and for one that was deleted.
    package internal(set) var stored: Record?
    /// The stored title of an existing record.
    package var recordTitle: String? { stored?.title(in: schema) }
    /// The texts as typed, by property name.
    package internal(set) var fields: [String: String]
    /// The stored values, or the defaults of a new record, by property name. A field that still shows such a value
    /// keeps it.
    private let untouched: [String: FieldValue]
    /// The secrets whose stored values are to be cleared.
    package internal(set) var clearedSecrets: Set<String> = []
    package internal(set) var problems: [FieldProblem] = []
    /// The message above the fields.
    package internal(set) var message: EditorMessage?
    /// The layout and rules of the sheet.
    package let sheet: SheetConfiguration
    /// The version that the typed text is compared with, if it is newer than the one that the editor loaded.
    package internal(set) var against: Int64?
    /// The fields that others changed too, by property name.
    package internal(set) var comparisons: [String: FieldComparison] = [:]
    /// The fields that only others changed and whose texts were taken over, by property name.
    package internal(set) var merged: [String: FieldComparison] = [:]
    /// Indicates whether the current user made the last change to the record, on another page.
    package internal(set) var isOwnChange = false
    /// The fields that the submitted page compared.
    var compared: [String] = []
    /// The user's choices between two texts, by property name.
    var decisions: [String: FieldComparison.Side] = [:]
    /// The identifier of the page that shows the form.
    package internal(set) var tab = EditorViewModel.newTab()
    /// The number of times the draft of that page was kept.
    package internal(set) var sequence = 0
    /// The number of times that page has sent the form to be kept; nil if no script does that.
    var turn: Int?
    /// The copy of the draft that the form continues: its page and the number of times that page had sent it.
    ///
    /// A page that was requested too early uses it to detect that a newer copy is on its way.
    package private(set) var copy: String?
    /// The field that receives the focus, if it is not the first.
    package internal(set) var focus: String?
    /// The search results, by property name.
    package internal(set) var found: [String: FoundRecords] = [:]
    /// The field of a waiting draft that references this record once it is saved.
    package var parent: DraftField?
    package internal(set) var isSaved = false
    /// Indicates whether the current form is kept as a draft.
    package private(set) var isKept: Bool

    /// The many-to-many fields, by property name.
    package internal(set) var links: [String: LinkField] = [:]
    /// The repositories of the linked models, by property name.
    var linkTargets: [String: any RecordRepository] = [:]
    /// The records that are edited in this record's sheet, by property name.
    package internal(set) var rowLists: [String: ChildRowList] = [:]
    /// The changes that others made to the rows, as sentences.
    var rowChanges: [String] = []
    var rowSources: [String: any RecordRepository] = [:]

    let repository: any RecordRepository
    let principal: Principal

    package var isNew: Bool { version == nil }
    /// Indicates whether the user can only view the record.
    package var isReadOnly: Bool { !principal.may(isNew ? .add : .edit, schema.name) }
    /// Indicates whether the user is allowed to see the records that the property references. A property that the
    /// role hides is not part of any sheet.
    package func mayShow(_ property: PropertySchema) -> Bool {
        property.type.model.map { principal.may(.view, $0) } ?? true
    }
    package func mayAdd(_ model: String) -> Bool { principal.may(.view, model) && principal.may(.add, model) }
    package var paths: ModelPaths { ModelPaths(schema) }

    /// The title, for example "Add animal" or "Edit animal".
    package var title: String {
        if isNew { return localized("Add \(schema.singularName)") }
        return isReadOnly ? schema.titleName : localized("Edit \(schema.singularName)")
    }

    package mutating func markKept() {
        isKept = true
    }

    /// Continues the same form on another page.
    package mutating func beginPage(sequence: Int) {
        self.sequence = sequence
        tab = Self.newTab()
        turn = nil
    }

    private static func newTab() -> String { String(UInt32.random(in: .min ... .max), radix: 36) }

    /// The address that Save posts the form to.
    package var action: String { isNew ? paths.list : paths.record(record) }

    /// The address that opens this editor again.
    package var address: String { isNew ? paths.new : paths.record(record) }

    private init(
        schema: ModelSchema, draft: UUID, record: UUID, version: Int64?, stored: Record?,
        untouched: [FieldValue], fields: [String: String], isKept: Bool, sheet: SheetConfiguration,
        repository: any RecordRepository, principal: Principal
    ) {
        self.sheet = sheet.seen(by: principal, of: schema)
        self.schema = schema
        self.draft = draft
        self.record = record
        self.version = version
        self.stored = stored
        self.untouched = Dictionary(
            zip(schema.storedProperties.map(\.name), untouched), uniquingKeysWith: { first, _ in first }
        )
        self.fields = fields
        self.isKept = isKept
        self.repository = repository
        self.principal = principal
    }
}

extension EditorViewModel {
    /// Creates an editor for a new record with its default values. The record's identifier is generated now, in
    /// memory.
    ///
    /// - Parameter draft: The identifier that the change set gets. An address may contain it before anything is
    ///   typed.
    /// - Throws: ``AccessError``, as do all of these initializers.
    package init(
        adding schema: ModelSchema, as draft: UUID = .version7(), sheet: SheetConfiguration = SheetConfiguration(),
        repository: any RecordRepository, principal: Principal
    ) throws(AccessError) {
        try principal.check(.add, schema)
        let values = schema.defaultValues
        self.init(
            schema: schema, draft: draft, record: .version7(), version: nil, stored: nil,
            untouched: values, fields: schema.formTexts(of: values), isKept: false, sheet: sheet,
            repository: repository, principal: principal
        )
    }

    /// Creates an editor for an existing record with its stored values. It is read-only for a user who can only
    /// view the record.
    package init(
        editing record: Record, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        repository: any RecordRepository, principal: Principal
    ) throws(AccessError) {
        try principal.check(.view, schema)
        self.init(
            schema: schema, draft: .version7(), record: record.id, version: record.version,
            stored: record, untouched: record.values, fields: schema.formTexts(of: record.values), isKept: false,
            sheet: sheet, repository: repository, principal: principal
        )
    }

    /// Creates an editor that continues a draft with its typed texts. It is saved under the same identifier as the
    /// form that shows it.
    ///
    /// - Parameter stored: The record that the draft edits, as stored now.
    package init(
        continuing draft: Draft, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        stored: Record?,
        repository: any RecordRepository, principal: Principal
    ) throws(AccessError) {
        try principal.check(draft.isNew ? .add : .edit, schema)
        var fields = schema.formTexts(of: schema.defaultValues)
        let sheet = sheet.seen(by: principal, of: schema)
        for field in draft.fields where fields[field.name] != nil && sheet.isEditable(field.name) {
            fields[field.name] = field.value
        }
        let secrets = schema.storedProperties.filter(\.isSecret).map(\.name).filter { sheet.isEditable($0) }
        let clearedSecrets = secrets.filter { draft.fields.value(FormSubmission.clearingField($0)) == "true" }
        self.init(
            schema: schema, draft: draft.id, record: draft.record, version: draft.version, stored: stored,
            untouched: [], fields: fields, isKept: true, sheet: sheet, repository: repository, principal: principal
        )
        self.clearedSecrets = Set(clearedSecrets)
        sequence = draft.sequence
        parent = draft.parent
        copy = draft.copy
    }

    /// Creates an editor for a submitted form.
    ///
    /// - Parameter stored: The record that the form edits. A field that the form does not contain keeps its stored
    ///   value, or its default in a new record.
    package init(
        submitted form: FormSubmission, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        stored: Record?,
        repository: any RecordRepository, principal: Principal
    ) throws(AccessError) {
        try principal.check(form.version == nil ? .add : .edit, schema)
        let untouched = stored?.values ?? schema.defaultValues
        self.init(
            schema: schema, draft: form.draft, record: form.record, version: form.version,
            stored: stored, untouched: untouched,
            fields: schema.formTexts(of: untouched).merging(Self.fields(of: form, in: schema, sheet, for: principal)) {
                _, typed in typed
            },
            isKept: false, sheet: sheet, repository: repository, principal: principal
        )
        clearedSecrets = form.clearedSecrets.filter { principal.maySet($0, of: schema) }
        against = form.against
        compared = form.compared
        decisions = form.decisions
        sequence = form.sequence ?? 0
        turn = form.turn
        parent = form.parent
        if let tab = form.tab { self.tab = tab }
    }
}

extension EditorViewModel {
    /// Returns the submitted fields that the principal is allowed to set.
    ///
    /// Read-only fields, and references to records that the principal is not allowed to see, stay unchanged
    /// whatever the form contains.
    private static func fields(
        of form: FormSubmission, in schema: ModelSchema, _ sheet: SheetConfiguration, for principal: Principal
    ) -> [String: String] {
        form.fields.filter { name, _ in sheet.isEditable(name) && principal.maySet(name, of: schema) }
    }
}

extension EditorViewModel {
    /// Returns the value that the field's text represents.
    ///
    /// An unchanged field keeps its stored value, because parsing can produce a different value than the one shown.
    /// For example, an empty text or list parses as null.
    func value(of property: PropertySchema) -> Result<FieldValue, FieldProblem> {
        let text = fields[property.name] ?? ""
        if let kept = untouched[property.name], property.controlText(of: kept).hasSameLines(as: text) {
            return .success(kept)
        }
        return property.parse(typed: text)
    }
}

extension ModelSchema {
    /// Returns the stored values as the texts that a form shows. The text of a secret is empty.
    func formTexts(of values: [FieldValue]) -> [String: String] {
        var texts: [String: String] = [:]
        for (property, value) in zip(storedProperties, values) {
            texts[property.name] = property.isSecret ? "" : property.controlText(of: value)
        }
        return texts
    }
}

extension PropertySchema {
    /// Returns the text that the property's control shows.
    func controlText(of value: FieldValue) -> String {
        let text = formText(of: value)
        // A form's date and time have no zone. The label says which it is.
        guard type == .date, text.hasSuffix("Z") else { return text }
        guard let zone = PageTimeZone.current else { return String(text.dropLast()) }
        // In an hour that the clocks repeat, the time means the first of two points in time. The second one, and a time
        // without a text, stay in UTC, so that saving the form does not change them.
        guard let shown = zone.clockTime(of: text), zone.moments(ofClockTime: shown)?.first?.rfc3339 == text else {
            return text
        }
        return shown
    }
}

extension String {
    /// Indicates whether the texts are equal byte for byte, except for the encoding of line breaks by browsers.
    func hasSameLines(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) || withLineFeeds.utf8.elementsEqual(other.withLineFeeds.utf8)
    }

    /// The text with CR LF and CR replaced by LF.
    ///
    /// The conversion works on bytes: Swift combines a CR and the following LF into one character.
    var withLineFeeds: String {
        var bytes: [UInt8] = []
        var isBehindReturn = false
        for byte in utf8 {
            if byte != 10 || !isBehindReturn { bytes.append(byte == 13 ? 10 : byte) }
            isBehindReturn = byte == 13
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension EditorViewModel {
    /// Fills the form with values of this or another record, current or earlier. Nothing is stored before Save.
    ///
    /// - Parameter values: The values by property name. A field that is missing here, or that this form cannot set,
    ///   does not change.
    package mutating func fillIn(_ values: [String: FieldValue]) {
        for property in schema.storedProperties
        where !property.isSecret && sheet.isEditable(property.name) && mayShow(property) {
            guard let value = values[property.name] else { continue }
            fields[property.name] = property.controlText(of: value)
        }
    }
}
