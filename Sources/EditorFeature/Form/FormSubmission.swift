package import AviaryDomain
package import Foundation

/// A submitted form: which record it is about, and the texts of those of the model's own fields that stand in it. Fields
/// that the model does not have are left out here, so that they can have no effect. Fields that a form does not have are
/// those of a page from before a deploy: nobody has decided anything about them.
package struct FormSubmission: Sendable, Hashable {
    package let draft: UUID
    package let record: UUID
    package let version: Int64?
    package let fields: [String: String]
    /// The secrets whose stored values are to go.
    package let clearedSecrets: Set<String>
    /// Which page it comes from, and how often its draft had been kept by then; nil for a page from before a deploy.
    package let tab: String?
    package let sequence: Int?
    /// How often that page has sent the form to be kept; nil where no script does that.
    let turn: Int?
    /// Where the record is to be chosen once it is saved.
    package let parent: DraftField?
    /// The version beside which the page showed the text, what it asked about, and what was chosen.
    let against: Int64?
    let compared: [String]
    let decisions: [String: FieldComparison.Side]
    /// What a button other than Save asks for.
    package let step: SheetStep?

    /// A page's name among the pages of a browser.
    private static let longestTab = 16

    /// A form without the hidden fields that every form of ours carries.
    package struct Incomplete: Error {}

    /// - Throws: ``Incomplete`` when `draft` or `id` is missing or no UUID, or `version` is no number.
    package init(_ form: [FormField], of schema: ModelSchema) throws(Incomplete) {
        guard let draft = form.value("draft").flatMap({ UUID(canonicalText: $0) }),
            let record = form.value("id").flatMap({ UUID(canonicalText: $0) })
        else { throw Incomplete() }
        self.draft = draft
        self.record = record
        switch form.value("version") {
        case nil, "": version = nil
        case .some(let text):
            guard let number = Int64(text), number > 0 else { throw Incomplete() }
            version = number
        }
        tab = form.value(FormNames.tab).flatMap { $0.isEmpty || $0.utf8.count > Self.longestTab ? nil : $0 }
        // No page is sent so often; the next number is one more.
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
        // Enter in a search field presses Save: who typed there wants to search.
        let searched = form.first { FormNames.searched($0.name) != nil && !$0.value.isBlank }
        step =
            form.value(FormNames.step).flatMap { SheetStep($0) }
            ?? searched.flatMap { FormNames.searched($0.name) }.map { .find($0) }
        var fields: [String: String] = [:]
        for property in schema.storedProperties {
            // A browser sends line breaks of a text as CR LF; they are kept as LF.
            fields[property.name] = (form.value(property.name) ?? Self.embedded(property, in: form))?.withUnixLineBreaks
        }
        self.fields = fields
        let secrets = schema.storedProperties.filter { $0.isSecret && !$0.isRequired }.map(\.name)
        clearedSecrets = Set(secrets.filter { form.value(Self.clearingField($0)) == "true" })
    }

    /// What the fields of an embedded struct's parts make; nil for a form that has none of them.
    private static func embedded(_ property: PropertySchema, in form: [FormField]) -> String? {
        guard let embedded = EmbeddedFields(property) else { return nil }
        var texts: [String: String] = [:]
        for part in embedded.parts { texts[part.key] = form.value(embedded.name(of: part))?.withUnixLineBreaks }
        return texts.isEmpty ? nil : embedded.json(of: texts)
    }

    /// The checkbox that clears a secret. A dot is in the name of no property.
    static func clearingField(_ property: String) -> String { property + ".clear" }
}

extension String {
    /// Byte by byte: to search a text for two characters compares it by its canonical form.
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

/// What forms carry beside the fields of the model. A dot before a name is in the name of no property, and in no key of an
/// embedded value.
package enum FormNames {
    /// How often the draft had been kept when the page was made.
    package static let sequence = ".sequence"
    /// Which page it is.
    package static let tab = ".tab"
    /// How often the page has sent the form to be kept.
    package static let turn = ".turn"
    /// Where the record is to be chosen once it is saved.
    package static let parent = ".parent"
    /// The version beside which the page shows the editor's own text.
    package static let against = ".against"
    /// The properties of which the page asks which text to keep.
    package static let compared = ".compared"
    /// What a button other than Save asks for.
    package static let step = ".step"
    /// What follows after a Save.
    package static let next = ".next"

    /// Which text of the property to keep.
    static func kept(_ property: String) -> String { ".keep." + property }
    /// What is looked for among the records that the field may point to.
    package static func search(_ field: String) -> String { searchPrefix + field }
    /// The field of a search; nil for the name of anything else.
    static func searched(_ name: String) -> String? {
        name.hasPrefix(searchPrefix) ? String(name.dropFirst(searchPrefix.count)) : nil
    }
    private static let searchPrefix = ".search."
}

/// What a button of a sheet asks for that is neither Save nor Cancel: the form stays as it is typed.
package enum SheetStep: Sendable, Hashable {
    /// Look for records that the property may point to.
    case find(String)
    /// Add a record for the property to point to; this form waits.
    case create(String)
    /// One more row.
    case addRow(String)
    /// Go somewhere else; what is typed waits.
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

    /// As a button carries it.
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
    /// An empty sheet at an address of its own: it names the draft before anything is typed, so that Back and a reload find it.
    package func fresh(_ fields: [FormField] = []) -> String {
        new.withQuery(FormEncoding.encode([FormField(name: "draft", value: UUID.version7().canonicalText)] + fields))
    }
}
