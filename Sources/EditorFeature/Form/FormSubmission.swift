package import AviaryDomain
package import Foundation

/// A submitted form: the record that it edits and the texts of the model's own fields that it contains.
///
/// Fields that the model does not have are dropped here, so that they cannot have an effect. A model's field is
/// missing if the page was rendered before a deploy; it is then treated as undecided.
package struct FormSubmission: Sendable, Hashable {
    package let draft: UUID
    package let record: UUID
    package let version: Int64?
    package let fields: [String: String]
    /// The secrets whose stored values are to be cleared.
    package let clearedSecrets: Set<String>
    /// The identifier of the submitting page; nil for a page that was rendered before a deploy.
    package let tab: String?
    /// The number of times the draft had been kept when the page was rendered; nil for a page that was rendered
    /// before a deploy.
    package let sequence: Int?
    /// The number of times that page has sent the form to be kept; nil if no script does that.
    let turn: Int?
    /// The field of a waiting draft that references this record once it is saved.
    package let parent: DraftField?
    /// The version that the page compared its text with.
    let against: Int64?
    /// The properties that the page compared.
    let compared: [String]
    /// The user's choices between two texts, by property name.
    let decisions: [String: FieldComparison.Side]
    /// The action of a button other than Save.
    package let step: SheetStep?

    /// The largest size in bytes of a page's identifier.
    private static let longestTab = 16

    /// The error for a form without the hidden fields that every form of Aviary contains.
    package struct IncompleteForm: Error {}

    /// Creates a submission from form fields.
    ///
    /// - Throws: ``IncompleteForm`` if `draft` or `id` is missing or not a UUID, or `version` is not a positive number.
    package init(_ form: [FormField], of schema: ModelSchema) throws(IncompleteForm) {
        guard let draft = form.value("draft").flatMap({ UUID(canonicalText: $0) }),
            let record = form.value("id").flatMap({ UUID(canonicalText: $0) })
        else { throw IncompleteForm() }
        self.draft = draft
        self.record = record
        switch form.value("version") {
        case nil, "": version = nil
        case .some(let text):
            guard let number = Int64(text), number > 0 else { throw IncompleteForm() }
            version = number
        }
        tab = form.value(FormNames.tab).flatMap { $0.isEmpty || $0.utf8.count > Self.longestTab ? nil : $0 }
        // No page is submitted that often. The limit keeps the next number from overflowing.
        sequence = form.value(FormNames.sequence).flatMap { Int($0) }.map { min(max(0, $0), 1 << 30) }
        turn = form.value(FormNames.turn).flatMap { UInt16($0) }.map(Int.init)
        parent = form.value(FormNames.parent).flatMap { DraftField($0) }
        against = version == nil ? nil : form.value(FormNames.against).flatMap { Int64($0) }
        compared = (form.value(FormNames.compared) ?? "").split(separator: " ").map(String.init)
        decisions = Dictionary(
            compared.compactMap { name in
                form.value(FormNames.kept(name)).flatMap(FieldComparison.Side.init(rawValue:)).map { (name, $0) }
            },
            uniquingKeysWith: { _, last in last }
        )
        // The Enter key in a search field activates Save, although the user wants to search.
        let searched = form.first { FormNames.searched($0.name) != nil && !$0.value.isBlank }
        step =
            form.value(FormNames.step).flatMap { SheetStep($0) }
            ?? searched.flatMap { FormNames.searched($0.name) }.map { .find($0) }
        var fields: [String: String] = [:]
        for property in schema.storedProperties {
            // A browser sends the line breaks of a text as CR LF. They are stored as LF.
            let text = Self.entries(property, in: form) ?? form.value(property.name)
            fields[property.name] = (text ?? Self.embedded(property, in: form))?.withUnixLineBreaks
        }
        self.fields = fields
        let secrets = schema.storedProperties.filter { $0.isSecret && !$0.isRequired }.map(\.name)
        clearedSecrets = Set(secrets.filter { form.value(Self.clearingField($0)) == "true" })
    }

    /// Returns the choices that are checked, one per line; nil if the property is no set of choices, or if the form
    /// has no checkboxes for it.
    private static func entries(_ property: PropertySchema, in form: [FormField]) -> String? {
        guard property.choicesOfSet != nil else { return nil }
        let values = form.values(property.name)
        return values.isEmpty ? nil : values.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Returns the JSON formed by the fields of an embedded struct's parts, or nil if the form has none of them.
    private static func embedded(_ property: PropertySchema, in form: [FormField]) -> String? {
        guard let embedded = EmbeddedFields(property) else { return nil }
        var texts: [String: String] = [:]
        for part in embedded.parts { texts[part.key] = form.value(embedded.name(of: part))?.withUnixLineBreaks }
        return texts.isEmpty ? nil : embedded.json(of: texts)
    }

    /// Returns the name of the checkbox that clears a secret. No property name contains a dot.
    static func clearingField(_ property: String) -> String { property + ".clear" }
}

extension String {
    /// The text with CR LF replaced by LF.
    ///
    /// It works byte by byte, because searching a `String` for two characters compares canonical forms.
    fileprivate var withUnixLineBreaks: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The names of the form fields that do not belong to the model. Neither a property name nor a key of an embedded
/// value starts with a dot.
package enum FormNames {
    /// The number of times the draft had been kept when the page was rendered.
    package static let sequence = ".sequence"
    /// The identifier of the page.
    package static let tab = ".tab"
    /// The number of times the page has sent the form to be kept.
    package static let turn = ".turn"
    /// The field of a waiting draft that references this record once it is saved.
    package static let parent = ".parent"
    /// The version that the page compared the editor's own text with.
    package static let against = ".against"
    /// The properties for which the page asks which text to keep.
    package static let compared = ".compared"
    /// The action of a button other than Save.
    package static let step = ".step"
    /// The step that follows a save.
    package static let next = ".next"

    /// Returns the name of the field that contains the text to keep for the property.
    static func kept(_ property: String) -> String { ".keep." + property }
    /// Returns the name of the search field for the records that the field can reference.
    package static func search(_ field: String) -> String { searchPrefix + field }
    /// Returns the field that a search field belongs to, or nil for any other name.
    static func searched(_ name: String) -> String? {
        name.hasPrefix(searchPrefix) ? String(name.dropFirst(searchPrefix.count)) : nil
    }
    private static let searchPrefix = ".search."
}

/// The action of a sheet's button other than Save and Cancel. The form keeps its typed text.
package enum SheetStep: Sendable, Hashable {
    /// A search for records that the property can reference.
    case find(String)
    /// The creation of a record for the property to reference. The current form waits as a draft.
    case create(String)
    /// An additional row.
    case addRow(String)
    /// A link to another page. The typed text waits as a draft.
    case leave(LocalPath)

    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "find": self = .find(words[1])
        case "create": self = .create(words[1])
        case "row": self = .addRow(words[1])
        case "leave":
            guard let path = LocalPath(words[1]) else { return nil }
            self = .leave(path)
        default: return nil
        }
    }

    /// The value of the button.
    package var text: String {
        switch self {
        case .find(let property): "find " + property
        case .create(let property): "create " + property
        case .addRow(let property): "row " + property
        case .leave(let path): "leave " + path.text
        }
    }
}

extension ModelPaths {
    /// Returns a new address for an empty sheet. It contains the draft's identifier before anything is typed, so
    /// that Back and a reload find the draft.
    package func fresh(_ fields: [FormField] = []) -> String {
        new.withQuery(FormEncoding.encode([FormField(name: "draft", value: UUID.version7().canonicalText)] + fields))
    }
}
