package import AviaryDesign
package import AviaryDomain

/// An editor as HTML: the sheet over the list.
package struct EditorView: Component {
    let model: EditorViewModel
    /// What each to-one field may be set to, by property name.
    let choices: [String: [RecordChoice]]
    /// The same of each many-to-many field.
    let linkChoices: [String: LinkChoices]
    let csrf: String
    /// The query string that leads back to the same part of the list.
    let location: String

    package init(
        model: EditorViewModel, choices: [String: [RecordChoice]], linkChoices: [String: LinkChoices] = [:], csrf: String,
        location: String
    ) {
        self.model = model
        self.choices = choices
        self.linkChoices = linkChoices
        self.csrf = csrf
        self.location = location
    }

    package func render(into html: inout HTML) {
        guard !model.isReadOnly else { return html.render(recordSheet) }
        html.render(Sheet(
            title: model.title,
            subtitle: model.recordTitle == model.record.canonicalText ? nil : model.recordTitle,
            action: model.action,
            csrf: csrf,
            hidden: hidden,
            draftAction: model.paths.keepDraft,
            discardAction: model.paths.discardDraft,
            address: model.address.withQuery(location),
            notices: notices,
            errors: errors,
            fields: model.schema.properties.filter { hasField($0.name) }.map { $0.type.isStored ? field($0) : linkField($0) },
            draftNote: model.isKept
                ? "Kept as a draft in this browser. Nothing is stored until you save."
                : "Nothing is stored until you save."
        ))
    }

    /// For whoever may only look.
    private var recordSheet: RecordSheet {
        RecordSheet(
            title: model.title, subtitle: model.recordTitle == model.record.canonicalText ? nil : model.recordTitle,
            fields: model.schema.properties.filter { hasField($0.name) }.map { $0.type.isStored ? field($0) : fixedLinks($0) },
            closeHref: model.paths.list.withQuery(location)
        )
    }

    private var hidden: [(name: String, value: String)] {
        var fields = [
            (name: "draft", value: model.draft.canonicalText),
            (name: "id", value: model.record.canonicalText),
            (name: "version", value: model.version.map(String.init) ?? ""),
        ]
        if !location.isEmpty { fields.append((name: "return", value: location)) }
        return fields
    }

    /// In the order of the fields.
    private var errors: [FieldError] {
        let order = Dictionary(
            model.schema.properties.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        let problems = model.problems.enumerated().sorted { left, right in
            (order[left.element.property] ?? -1, left.offset) < (order[right.element.property] ?? -1, right.offset)
        }
        return problems.map(\.element).map { FieldError(field: hasField($0.property) ? $0.property : nil, message: $0.message) }
    }

    /// A problem may be one of the record as a whole.
    private func hasField(_ property: String) -> Bool {
        model.schema.storedIndex(of: property) != nil || model.links[property] != nil
    }

    private var notices: [Notice] {
        guard let message = model.message else { return [] }
        let kind: Notice.Kind = switch message.kind {
        case .information: .information
        case .warning: .warning
        case .failure: .failure
        }
        let actions = message.link.map { [NoticeAction.link(title: $0.title, href: $0.path)] } ?? []
        return [Notice(kind, message.text, actions: actions)]
    }

    private func field(_ property: PropertySchema) -> Field {
        let text = model.fields[property.name] ?? ""
        return Field(
            name: property.name,
            label: property.type == .date ? property.label + " (UTC)" : property.label,
            control: control(property, text: text),
            help: model.storedFields[property.name].map { "Stored now: \(shown($0, of: property))" } ?? hint(property, text: text),
            error: model.problems.first { $0.property == property.name }?.message,
            isRequired: property.isRequired && !property.alwaysHasValue && !(property.isSecret && !model.isNew),
            link: property.type == .url ? PropertyType.followable(text) : nil
        )
    }
}

extension PropertySchema {
    /// A control of this type has no empty state once it has a value: "Required" would only be noise.
    fileprivate var alwaysHasValue: Bool {
        switch type {
        case .choice, .integerChoice, .boolean: makeDefault != nil
        default: false
        }
    }
}
