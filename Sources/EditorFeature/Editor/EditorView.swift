package import AviaryDesign
package import AviaryDomain

/// An editor as HTML: the sheet over the list.
package struct EditorView: Component {
    let model: EditorViewModel
    /// What each to-one field may be set to, by property name.
    let choices: [String: [RecordChoice]]
    let csrf: String
    /// The query string that leads back to the same part of the list.
    let location: String

    package init(
        model: EditorViewModel, choices: [String: [RecordChoice]], csrf: String, location: String
    ) {
        self.model = model
        self.choices = choices
        self.csrf = csrf
        self.location = location
    }

    package func render(into html: inout HTML) {
        html.render(Sheet(
            title: model.title,
            subtitle: model.recordTitle,
            action: model.action,
            csrf: csrf,
            hidden: hidden,
            draftAction: model.paths.keepDraft,
            discardAction: model.paths.discardDraft,
            address: model.address.withQuery(location),
            notices: notices,
            errors: model.problems.map { FieldError(field: $0.property, message: $0.message) },
            fields: model.schema.storedProperties.map(field),
            draftNote: model.isKept
                ? "Kept as a draft in this browser. Nothing is stored until you save."
                : "Nothing is stored until you save."
        ))
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
        Field(
            name: property.name,
            label: property.type == .date ? property.label + " (UTC)" : property.label,
            control: control(property, text: model.fields[property.name] ?? ""),
            help: model.storedFields[property.name].map { "Stored now: \(shown($0, of: property))" },
            error: model.problems.first { $0.property == property.name }?.message,
            isRequired: property.isRequired && !property.alwaysHasValue
        )
    }
}

extension PropertySchema {
    /// A control of this type has no empty state once it has a value: "Required" would only be noise.
    fileprivate var alwaysHasValue: Bool {
        switch type {
        case .choice, .boolean: makeDefault != nil
        default: false
        }
    }
}
