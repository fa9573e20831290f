package import AviaryDesign
package import AviaryDomain
import Foundation

/// An editor as HTML: the sheet on top of the list.
package struct EditorView: Component {
    let model: EditorViewModel
    /// The records that each to-one field can reference, by property name.
    let choices: [String: [RecordChoice]]
    /// The records that each many-to-many field can link, by property name.
    let linkChoices: [String: LinkChoices]
    /// The searches of the fields that have too many records for a menu, by field name.
    let searches: [String: ReferenceSearch]
    /// The fields that offer a button to add a record.
    let creations: Set<String>
    /// The computed values, by column name.
    let computed: [String: String]
    let csrf: String
    /// The query string that leads back to the same page of the list.
    let location: String
    /// The links of the sheet to other pages.
    let links: SheetLinks

    package init(
        model: EditorViewModel, choices: [String: [RecordChoice]], linkChoices: [String: LinkChoices] = [:],
        searches: [String: ReferenceSearch] = [:], creations: Set<String> = [], computed: [String: String] = [:],
        csrf: String,
        location: String, links: SheetLinks = SheetLinks()
    ) {
        self.model = model
        self.choices = choices
        self.linkChoices = linkChoices
        self.searches = searches
        self.creations = creations
        self.computed = computed
        self.csrf = csrf
        self.location = location
        self.links = links
    }

    package func render(into html: inout HTML) {
        guard !model.isReadOnly else { return html.render(recordSheet) }
        html.render(
            Sheet(
                title: model.title,
                subtitle: model.recordTitle == model.record.canonicalText ? nil : model.recordTitle,
                action: model.action,
                csrf: csrf,
                hidden: hidden,
                draft: draft,
                notices: notices,
                errors: errors,
                sections: sections,
                buttons: SheetButtons(saveAnd: addAnother),
                focus: focus, links: links.leaving { leaving(to: $0.href, title: $0.title) }
            ))
    }

    private var draft: SheetDraft {
        SheetDraft(
            action: model.paths.keepDraft, discardAction: model.paths.discardDraft,
            address: model.address.withQuery(location), copy: model.copy,
            note: model.isKept
                ? localized("Draft saved in this browser. Changes apply once you save.")
                : localized("Changes apply once you save."))
    }

    /// The button that saves a new record and opens an empty sheet; nil for other sheets.
    private var addAnother: SheetButton? {
        guard model.isNew, model.parent == nil else { return nil }
        return SheetButton(
            title: localized("Save and add another"), name: FormNames.next, value: "add", action: model.action)
    }

    /// The sheet for users who can only view the record.
    private var recordSheet: RecordSheet {
        RecordSheet(
            title: model.title, subtitle: model.recordTitle == model.record.canonicalText ? nil : model.recordTitle,
            fields: model.sheet.layout(of: model.schema).flatMap(\.fields).compactMap(fixedField),
            closeHref: model.paths.list.withQuery(location), links: links
        )
    }

    private func fixedField(_ name: String) -> Field? {
        if let column = model.sheet.computed(name) { return computedField(name, column) }
        if let list = model.rowLists[name] { return fixedRows(list) }
        guard let property = model.schema.property(name), hasField(name) else { return nil }
        return property.type.isStored ? field(property) : fixedLinks(property)
    }

    private var sections: [SheetSection] {
        model.sheet.layout(of: model.schema).compactMap { section in
            let parts = section.fields.compactMap(part)
            return parts.isEmpty ? nil : SheetSection(title: section.title, parts: parts)
        }
    }

    private func part(_ name: String) -> SheetPart? {
        if let column = model.sheet.computed(name) { return model.isNew ? nil : .field(computedField(name, column)) }
        if let list = model.rowLists[name] { return .rows(rowGroup(list)) }
        guard let property = model.schema.property(name), hasField(name) else { return nil }
        if let group = embeddedGroup(property) { return .group(group) }
        guard property.type.isStored else {
            return .field(model.sheet.isEditable(name) ? linkField(property) : fixedLinks(property))
        }
        return .field(field(property))
    }

    private func computedField(_ name: String, _ column: ComputedColumn) -> Field {
        Field(
            name: name, label: column.title, control: .fixed(text: computed[name] ?? "–"),
            help: localized("Calculated from the saved values."))
    }

    private var hidden: [(name: String, value: String)] {
        var fields = [
            (name: "draft", value: model.draft.canonicalText),
            (name: "id", value: model.record.canonicalText),
            (name: "version", value: model.version.map(String.init) ?? ""),
        ]
        fields.append((name: FormNames.tab, value: model.tab))
        fields.append((name: FormNames.sequence, value: String(model.sequence)))
        if let parent = model.parent { fields.append((name: FormNames.parent, value: parent.text)) }
        if let against = model.against {
            fields.append((name: FormNames.against, value: String(against)))
            fields.append((name: FormNames.compared, value: model.comparisons.keys.sorted().joined(separator: " ")))
        }
        if !location.isEmpty { fields.append((name: "return", value: location)) }
        return fields
    }

    /// The problems in the order of the fields. A problem without a field on the page has no link.
    private var errors: [FieldError] {
        let names = model.sheet.layout(of: model.schema).flatMap(\.fields)
        let order = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        func place(_ problem: FieldProblem) -> Int {
            order[problem.property] ?? order[String(problem.property.prefix { $0 != "." })] ?? -1
        }
        let problems = model.problems.enumerated().sorted { left, right in
            (place(left.element), left.offset) < (place(right.element), right.offset)
        }
        return problems.map(\.element).map {
            FieldError(
                field: hasPlace($0.property) ? $0.property : nil, label: label(of: $0.property), message: $0.message)
        }
    }

    /// Returns the label of a field, for example `Price`, or `Address, street` for a part of a field.
    private func label(of name: String) -> String? {
        let parts = name.split(separator: ".").map(String.init)
        guard let property = parts.first.flatMap(model.schema.property) else { return nil }
        guard parts.count > 1, let last = parts.last else { return property.label }
        let part =
            model.rowLists[property.name]?.schema.property(last)?.labelInSentence
            ?? EmbeddedFields(property)?.parts.first { $0.key == last }?.labelInSentence
        return part.map { property.label + ", " + $0 } ?? property.label
    }

    private func hasPlace(_ name: String) -> Bool {
        let whole = String(name.prefix { $0 != "." })
        return hasField(name) || model.rowLists[whole] != nil || model.schema.property(whole)?.embeddedProperties != nil
    }

    /// Indicates whether the property has a field. A problem may also concern the record as a whole.
    private func hasField(_ property: String) -> Bool {
        model.schema.storedIndex(of: property) != nil || model.links[property] != nil
    }

    private var focus: String? {
        if let name = model.focus { return name }
        return model.schema.storedProperties.first { model.comparisons[$0.name] != nil }?.name ?? comparedRowField
    }

    private var notices: [Notice] {
        guard let message = model.message else { return [] }
        let kind: Notice.Kind =
            switch message.kind {
            case .information: .information
            case .warning: .warning
            case .failure: .failure
            }
        return [Notice(kind, message.text, actions: message.link.map { [action($0)] } ?? [])]
    }

    private func action(_ link: EditorMessage.Link) -> NoticeAction {
        let button = link.keepsForm ? leaving(to: link.path, title: link.title) : nil
        return button.map(NoticeAction.step) ?? .link(title: link.title, href: link.path)
    }

    /// Returns a button that opens another page and keeps the typed text, or nil if the address is too long for a
    /// form.
    private func leaving(to path: String, title: String) -> SheetButton? {
        LocalPath(path).map {
            SheetButton(
                title: title, name: FormNames.step, value: SheetStep.leave($0).text, action: model.paths.keepDraft)
        }
    }

    private func field(_ property: PropertySchema) -> Field {
        let text = model.fields[property.name] ?? ""
        return Field(
            name: property.name,
            // A time that is only shown names its zone itself.
            label: model.sheet.isEditable(property.name) && !model.isReadOnly
                ? property.labelWithZone : property.label,
            control: model.sheet.isEditable(property.name)
                ? control(property, text: text) : fixed(property, text: text),
            help: takenOver(property, model.merged[property.name], isOwn: model.isOwnChange)
                ?? help(property, joining: hint(property, text: text)),
            error: model.problems.first { $0.property == property.name }?.message,
            isRequired: property.isRequired && !property.alwaysHasValue && !(property.isSecret && !model.isNew)
                && model.sheet.isEditable(property.name) && !model.isReadOnly,
            link: property.type == .url ? PropertyType.followable(text) : nil,
            comparison: comparison(
                property, model.comparisons[property.name], FormNames.kept(property.name), isOwn: model.isOwnChange),
            button: creation(property), clientValidation: property.clientValidation
        )
    }

    /// Returns a button such as "New category…", or nil if the field cannot be set.
    func creation(_ property: PropertySchema) -> SheetButton? {
        guard creations.contains(property.name), !model.isReadOnly, model.sheet.isEditable(property.name) else {
            return nil
        }
        return SheetButton(
            title: localized("New \(property.noun)…"), name: FormNames.step,
            value: SheetStep.create(property.name).text,
            action: model.paths.keepDraft
        )
    }
}

extension PropertySchema {
    /// The label of a field, with the zone of a time unless the label names it already.
    var labelWithZone: String {
        guard type == .date, !label.contains(PageTimeZone.name) else { return label }
        return PageTimeZone.current == nil ? localized("\(label) (UTC)") : localized("\(label) (\(PageTimeZone.name))")
    }

    /// Indicates whether the control always has a value once it has one. Marking such a field as required would
    /// only be noise.
    var alwaysHasValue: Bool {
        switch type {
        case .choice, .integerChoice, .boolean: makeDefault != nil
        default: false
        }
    }
}

extension EditorView {
    /// Returns the help text that the application declares for a field, followed by the hint about its values; nil
    /// without either.
    func help(_ property: PropertySchema, joining hint: String?) -> String? {
        guard let help = model.sheet.help[property.name]?.translated, let last = help.last else { return hint }
        guard let hint else { return help }
        return help + (".!?:…".contains(last) ? " " : ". ") + hint
    }

    /// Returns the hint below a control whose value needs an explanation.
    func hint(_ property: PropertySchema, text: String) -> String? {
        if property.isSecret { return model.isNew ? nil : localized("Leave empty to keep the saved value.") }
        guard property.type == .data, !text.isEmpty else {
            return property.type == .data ? localized("As Base64") : property.hint
        }
        let size = Data(base64Encoded: text).map { PropertyType.size(ofBytes: $0.count) }
        return size.map { localized("\($0), as Base64. Empty the field to remove the value.") }
            ?? localized("As Base64. Empty the field to remove the value.")
    }
}

extension PropertySchema {
    /// The hint about the allowed values: the declared one, or that of the type.
    fileprivate var hint: String? {
        if choicesOfSet != nil { return nil }
        if let embedded = embeddedProperties, !embedded.isEmpty {
            return localized("As JSON with \(TextFormatter.list(embedded.map(\.key)))")
        }
        for attribute in attributes {
            switch attribute {
            case .pattern(_, let hint?): return TextFormatter.capitalized(hint.translated)
            case .range(let bounds): return hint(bounds)
            default: continue
            }
        }
        return type.hint
    }

    private func hint(_ bounds: NumberBounds) -> String? {
        var hint =
            switch (bounds.least.map(Self.text), bounds.most.map(Self.text)) {
            case (let least?, let most?): localized("From \(least) to \(most)")
            case (let least?, nil): localized("At least \(least)")
            case (nil, let most?): localized("At most \(most)")
            case (nil, nil): ""
            }
        if case .decimal = type, let digits = type.hint { hint = localized("\(hint), \(Self.continued(digits))") }
        return hint.isEmpty ? type.hint : hint
    }

    private static func text(_ number: Decimal) -> String { NumberText.ungrouped("\(number)") }

    /// Returns a hint in the form that continues another, for example `up to 2 digits after the point`.
    private static func continued(_ hint: String) -> String {
        Language.current == nil ? hint.prefix(1).lowercased() + hint.dropFirst() : hint
    }
}
