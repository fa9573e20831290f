package import AviaryDomain
package import Foundation

/// One record being added or edited: what was typed, what is wrong with it, and what Save and Cancel do.
///
/// It holds texts as typed, not values: a half-finished number is kept as it stands.
package struct EditorViewModel: Sendable {
    package let schema: ModelSchema
    /// Becomes the change set's id on Save.
    package internal(set) var draft: UUID
    /// The record to be created or changed.
    package internal(set) var record: UUID
    /// The version that the editor saw; nil for a new record.
    package internal(set) var version: Int64?
    /// The record as it was found; nil for a new one, and for one that is gone.
    package internal(set) var stored: Record?
    /// The stored name of an existing record.
    package var recordTitle: String? { stored?.title(in: schema) }
    /// As typed, by property name.
    package internal(set) var fields: [String: String]
    /// What is stored, or what a new record begins with, by property name: a field that still shows it keeps it.
    private let untouched: [String: FieldValue]
    /// The secrets whose stored values are to go.
    package internal(set) var clearedSecrets: Set<String> = []
    package internal(set) var problems: [FieldProblem] = []
    /// What stands above the fields.
    package internal(set) var message: EditorMessage?
    /// How the sheet is laid out.
    package let sheet: SheetConfiguration
    /// The version beside which the text stands, where that is newer than the one that the editor saw.
    package internal(set) var against: Int64?
    /// Fields that others changed too, by property name.
    package internal(set) var comparisons: [String: FieldComparison] = [:]
    /// Fields that only others changed: their texts were taken over.
    package internal(set) var merged: [String: FieldComparison] = [:]
    /// Whether it was oneself who changed the record last, on another page.
    package internal(set) var isOwnChange = false
    /// What the form's page asked about, and what was chosen.
    var compared: [String] = []
    var decisions: [String: FieldComparison.Side] = [:]
    /// Which page the form is on, and how often its draft was kept.
    package internal(set) var tab = EditorViewModel.newTab()
    package internal(set) var sequence = 0
    /// How often that page has sent the form to be kept; nil where no script does that.
    var turn: Int?
    /// Which of the copies that a page sent the form goes on from: its page and its turn. A page that was asked for too early sees
    /// by it that a newer one is on its way.
    package private(set) var copy: String?
    /// The field that the page begins with, where that is not the first.
    package internal(set) var focus: String?
    /// What was looked for, and what was found, by property name.
    package internal(set) var found: [String: FoundRecords] = [:]
    /// Where the record is to be chosen once it is saved: the field of a draft that waits.
    package var parent: DraftField?
    package internal(set) var isSaved = false
    /// Whether the form as it stands is kept as a draft.
    package private(set) var isKept: Bool

    /// The many-to-many fields, by property name.
    package internal(set) var links: [String: LinkField] = [:]
    /// The records at the other ends of the links, by property name.
    var linkTargets: [String: any RecordRepository] = [:]
    /// The records that are edited in this one's sheet, by property name.
    package internal(set) var rowLists: [String: RowList] = [:]
    /// What others did to the rows meanwhile, in sentences.
    var rowChanges: [String] = []
    var rowSources: [String: any RecordRepository] = [:]

    let repository: any RecordRepository
    let principal: Principal

    package var isNew: Bool { version == nil }
    /// Whether the record is only looked at.
    package var isReadOnly: Bool { !principal.may(isNew ? .add : .edit, schema.name) }
    /// Whether what the property leads to may be seen. A property that a role hides is in no sheet to begin with.
    package func mayShow(_ property: PropertySchema) -> Bool {
        property.type.model.map { principal.may(.view, $0) } ?? true
    }
    package func mayAdd(_ model: String) -> Bool { principal.may(.view, model) && principal.may(.add, model) }
    package var paths: ModelPaths { ModelPaths(schema) }

    /// "Add animal" or "Edit animal".
    package var title: String {
        if isNew { return localized("Add \(schema.singularName)") }
        return isReadOnly ? schema.titleName : localized("Edit \(schema.singularName)")
    }

    package mutating func markKept() {
        isKept = true
    }

    /// The same form on another page.
    package mutating func beginPage(sequence: Int) {
        self.sequence = sequence
        tab = Self.newTab()
        turn = nil
    }

    private static func newTab() -> String { String(UInt32.random(in: .min ... .max), radix: 36) }

    /// Where Save sends the form.
    package var action: String { isNew ? paths.list : paths.record(record) }

    /// Where this editor is opened again.
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
    /// A new record with its defaults; its identity is made now, in memory.
    ///
    /// - Parameter draft: Becomes the change set's id; an address may have it before anything is typed.
    /// - Throws: ``AccessRefusal``, as all of these do.
    package init(
        adding schema: ModelSchema, as draft: UUID = .version7(), sheet: SheetConfiguration = SheetConfiguration(),
        repository: any RecordRepository, principal: Principal
    ) throws(AccessRefusal) {
        try principal.check(.add, schema)
        let values = schema.defaultValues
        self.init(
            schema: schema, draft: draft, record: .version7(), version: nil, stored: nil,
            untouched: values, fields: schema.formTexts(of: values), isKept: false, sheet: sheet,
            repository: repository, principal: principal
        )
    }

    /// An existing record with its stored values; read-only for whoever may only view it.
    package init(
        editing record: Record, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        repository: any RecordRepository, principal: Principal
    ) throws(AccessRefusal) {
        try principal.check(.view, schema)
        self.init(
            schema: schema, draft: .version7(), record: record.id, version: record.version,
            stored: record, untouched: record.values, fields: schema.formTexts(of: record.values), isKept: false,
            sheet: sheet, repository: repository, principal: principal
        )
    }

    /// A draft that was kept, as typed; it is saved as the form that shows it.
    ///
    /// - Parameter stored: The record that it is about, as it is now.
    package init(
        continuing draft: Draft, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        stored: Record?,
        repository: any RecordRepository, principal: Principal
    ) throws(AccessRefusal) {
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

    /// A form that was submitted.
    ///
    /// - Parameter stored: the record that it is about. A field that the form does not have stays as it is stored, or
    ///   begins with its default.
    package init(
        submitted form: FormSubmission, of schema: ModelSchema, sheet: SheetConfiguration = SheetConfiguration(),
        stored: Record?,
        repository: any RecordRepository, principal: Principal
    ) throws(AccessRefusal) {
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
    /// What may be set: what is read-only, and a reference to what may not be seen, stay as they are, whatever a form says.
    private static func fields(
        of form: FormSubmission, in schema: ModelSchema, _ sheet: SheetConfiguration, for principal: Principal
    ) -> [String: String] {
        form.fields.filter { name, _ in sheet.isEditable(name) && principal.maySet(name, of: schema) }
    }
}

extension EditorViewModel {
    /// What the field of the property means. A text may be read as another value than the one that it shows, such as an empty
    /// text or list as none: what nobody touched stays as it is.
    func value(of property: PropertySchema) -> Result<FieldValue, FieldProblem> {
        let text = fields[property.name] ?? ""
        if let kept = untouched[property.name], property.controlText(of: kept).hasSameLines(as: text) {
            return .success(kept)
        }
        return property.parse(typed: text)
    }
}

extension ModelSchema {
    /// Stored values as the texts that a form shows: of a secret none.
    func formTexts(of values: [FieldValue]) -> [String: String] {
        var texts: [String: String] = [:]
        for (property, value) in zip(storedProperties, values) {
            texts[property.name] = property.isSecret ? "" : property.controlText(of: value)
        }
        return texts
    }
}

extension PropertySchema {
    /// The text that the property's control shows.
    func controlText(of value: FieldValue) -> String {
        let text = formText(of: value)
        // A form's date and time carry no zone; the label says UTC.
        return type == .date && text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}

extension String {
    /// Whether it is the same text byte for byte, but for how a browser sends line breaks.
    func hasSameLines(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) || withLineFeeds.utf8.elementsEqual(other.withLineFeeds.utf8)
    }

    /// CR LF and CR as LF. By bytes: as characters, a CR and the LF that then follows it become one.
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
    /// Puts what this or another record holds, or held once, into the form. Nothing is stored before Save.
    ///
    /// - Parameter values: By property name; a field that is not among them stays as it is, and so does one that this form cannot set.
    package mutating func fillIn(_ values: [String: FieldValue]) {
        for property in schema.storedProperties
        where !property.isSecret && sheet.isEditable(property.name) && mayShow(property) {
            guard let value = values[property.name] else { continue }
            fields[property.name] = property.controlText(of: value)
        }
    }
}
