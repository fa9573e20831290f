import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// The largest number of choices shown as segments. A longer row of segments does not fit on a phone.
    private static let mostSegments = 4

    func control(_ property: PropertySchema, text: String) -> Control {
        // A fixed control is not submitted, so the stored value does not change.
        guard model.mayShow(property) else {
            return .fixed(text: text.isEmpty ? Self.noValue : localized("Hidden from your role"))
        }
        if model.isReadOnly {
            return .fixed(text: property.isSecret ? localized("Hidden") : fixedText(text, of: property))
        }
        if property.isSecret {
            let canBeCleared = !model.isNew && !property.isRequired
            return .secret(
                clearing: canBeCleared ? FormSubmission.clearingField(property.name) : nil,
                isClearing: model.clearedSecrets.contains(property.name)
            )
        }
        return configured(property, text: text) ?? checkboxes(property, text: text)
            ?? typeControl(property, text: text)
    }

    /// Returns a checkbox for each choice of a set; nil for another property, and for a text that is no such set.
    private func checkboxes(_ property: PropertySchema, text: String) -> Control? {
        guard let choices = property.choicesOfSet else { return nil }
        let checked = Set(text.split(separator: "\n").map(String.init))
        guard checked.isSubset(of: choices) else { return nil }
        let options = zip(choices, property.choiceLabels).map { Option(value: $0, label: $1) }
        return .entries(MultiValueField(options: options, checked: checked))
    }

    /// Returns the control of a field in a row of another model's sheet that the user cannot set.
    func fixedRowControl(_ property: PropertySchema, text: String) -> Control {
        guard model.mayShow(property) else {
            return .fixed(text: text.isEmpty ? Self.noValue : localized("Hidden from your role"))
        }
        return .fixed(text: fixedText(text, of: property))
    }

    /// Returns the control of a field in a row of another model's sheet.
    func rowControl(_ property: PropertySchema, text: String) -> Control {
        // Segments would wrap onto several lines in a row.
        if property.type.choices != nil {
            return .select(options: choiceOptions(property), selected: text, prompt: choicePrompt(property))
        }
        return typeControl(property, text: text)
    }

    private func typeControl(_ property: PropertySchema, text: String) -> Control {
        switch property.type {
        // A single-line field would silently drop the line breaks.
        case .string where text.utf8.contains(where: { $0 == 10 || $0 == 13 }) || property.takesParagraphs:
            .multiline(value: text)
        case .string, .uuid, .toMany: .text(value: text, maxLength: nil)
        case .integer: .number(value: text, step: "1")
        case .sizedInteger(let width):
            .number(value: text, step: "1", allowsNegative: width.range.lowerBound < 0)
        case .decimal(scale: 0): .number(value: text, step: "1")
        case .double, .float, .decimal: .number(value: text, step: "any")
        case .url: .url(value: text)
        case .data, .json, .array: .multiline(value: text)
        case .date:
            text.isDateForBrowsers { Date(rfc3339: $0) != nil && !$0.hasSuffix("Z") }
                ? .dateTime(value: text, zone: PageTimeZone.current?.identifier) : .text(value: text, maxLength: nil)
        case .calendarDate:
            text.isDateForBrowsers { CalendarDate($0) != nil } ? .date(value: text) : .text(value: text, maxLength: nil)
        case .boolean where property.isOptional:
            .segments(options: Option.truths, selected: text)
        case .boolean: .toggle(isOn: text == "true")
        case .choice, .integerChoice: choiceControl(property, text: text)
        case .toOne:
            .select(
                options: options(property, selected: text), selected: text,
                prompt: localized("Select \(TextFormatter.withArticle(property.noun))"))
        }
    }

    /// Returns the control of a field that nobody can set on this page.
    func fixed(_ property: PropertySchema, text: String) -> Control {
        .fixed(text: fixedText(text, of: property))
    }

    /// The text of a field without a value, as in lists.
    static var noValue: String { "–" }

    /// Returns the text of a field that cannot be set, as a list shows the value.
    private func fixedText(_ text: String, of property: PropertySchema) -> String {
        guard !text.isEmpty else { return Self.noValue }
        switch property.type {
        // A text that is no time is shown as it is.
        case .date: return (try? property.parse(typed: text).get()).flatMap { property.words(for: $0) } ?? text
        case .boolean, .calendarDate, .integer, .sizedInteger, .double, .float, .decimal:
            // A text that is no value of the type is shown as it is.
            guard let value = try? property.type.parse(text) else { return text }
            return property.words(for: value) ?? text
        case .json where property.embeddedProperties?.isEmpty == false:
            return property.words(for: .text(text)) ?? text
        default: return shown(text, of: property)
        }
    }

    /// Returns the configured control if it differs from the type's own, or a search if there are too many records
    /// for a menu.
    private func configured(_ property: PropertySchema, text: String) -> Control? {
        if let search = searches[property.name] { return picker(property.name, search, property, text: text) }
        switch model.sheet.widgets[property.name] {
        case .text where !text.utf8.contains(where: { $0 == 10 || $0 == 13 }): return .text(value: text, maxLength: nil)
        case .longText: return .multiline(value: text)
        case .segments where property.type.choices != nil:
            return .segments(options: choiceOptions(property), selected: text)
        case .select where property.type.choices != nil:
            return .select(options: choiceOptions(property), selected: text, prompt: choicePrompt(property))
        default: return nil
        }
    }

    /// Returns a stored text in the form that a person reads.
    func shown(_ text: String, of property: PropertySchema) -> String {
        if text.isEmpty { return localized("no value") }
        switch property.type {
        case .choice, .integerChoice: return label(of: text, property)
        case .data: return Data(base64Encoded: text).map { PropertyType.size(ofBytes: $0.count) } ?? text
        case .toOne: return title(of: text, property) ?? localized("another record")
        case .json: return embeddedText(text, of: property) ?? text
        case .array where property.choicesOfSet != nil:
            let checked = Set(text.split(separator: "\n").map(String.init))
            // In the order of the choices, because a set has none.
            let known = (property.choicesOfSet ?? []).filter { checked.contains($0) }
            return known.count == checked.count ? TextFormatter.list(known.map { label(of: $0, property) }) : text
        default: return text
        }
    }

    private func title(of id: String, _ property: PropertySchema) -> String? {
        choices[property.name]?.first { $0.id.canonicalText == id }?.title
            ?? searches[property.name]?.titles[id]
    }

    private func label(of choice: String, _ property: PropertySchema) -> String {
        zip(property.type.choices ?? property.choicesOfSet ?? [], property.choiceLabels).first { $0.0 == choice }?.1
            ?? TextFormatter.choiceLabel(choice)
    }

    private func choiceControl(_ property: PropertySchema, text: String) -> Control {
        let options = choiceOptions(property)
        return options.count <= Self.mostSegments
            ? .segments(options: options, selected: text)
            : .select(options: options, selected: text, prompt: choicePrompt(property))
    }

    /// The first option of a menu, if the field may have no value: with none chosen, a browser shows the first one.
    private func choicePrompt(_ property: PropertySchema) -> String? {
        property.isOptional || property.alwaysHasValue
            ? nil : localized("Select \(TextFormatter.withArticle(property.noun))")
    }

    private func choiceOptions(_ property: PropertySchema) -> [Option] {
        let options = zip(property.type.choices ?? [], property.choiceLabels).map { Option(value: $0, label: $1) }
        return property.isOptional ? [Option.notSet] + options : options
    }

    private func options(_ property: PropertySchema, selected: String) -> [Option] {
        (choices[property.name] ?? []).map { Option(value: $0.id.canonicalText, label: $0.title) }
    }
}

extension Option {
    static var notSet: Option { Option(value: "", label: localized("Not set")) }
    /// The options of an optional `Bool`.
    static var truths: [Option] {
        [notSet, Option(value: "true", label: localized("Yes")), Option(value: "false", label: localized("No"))]
    }
}

extension String {
    /// Indicates whether a browser's date control can show the text.
    ///
    /// The control empties a text that it does not accept, such as invalid input or the year 0.
    fileprivate func isDateForBrowsers(_ isDate: (String) -> Bool) -> Bool {
        isEmpty || (isDate(self) && !hasPrefix("0000"))
    }
}

extension PropertySchema {
    /// Indicates whether the text may be too long to read on a single line.
    fileprivate var takesParagraphs: Bool {
        attributes.contains { if case .length(let bounds) = $0 { bounds.most ?? 0 > 200 } else { false } }
    }
}

extension EditorView {
    /// Returns a control with the chosen record, the records found, and a search for others.
    ///
    /// A field that must have a value offers no other way than one of the records. Before one is chosen, it says that
    /// none is.
    ///
    /// - Parameter name: The name of the field.
    func picker(_ name: String, _ search: ReferenceSearch, _ property: PropertySchema, text: String) -> Control {
        let found = model.found[name]
        var options: [Option] = []
        if !property.isRequired {
            options.append(Option(value: "", label: localized("None")))
        } else if text.isEmpty {
            options.append(Option.notSet)
        }
        if !text.isEmpty {
            options.append(Option(value: text, label: search.titles[text] ?? localized("a deleted record")))
        }
        for choice in found?.choices ?? [] where choice.id.canonicalText != text {
            options.append(Option(value: choice.id.canonicalText, label: choice.title))
        }
        return .picker(
            RecordPicker(
                options: options, selected: text,
                search: RecordSearch(
                    label: localized("Search \(search.schema.pluralName)"), name: FormNames.search(name),
                    button: SheetButton(
                        title: localized("Search"), name: FormNames.step, value: SheetStep.find(name).text,
                        action: model.paths.keepDraft
                    ),
                    choices: ModelPaths(search.schema).choices, result: found?.words(search.schema)
                )
            ))
    }
}

extension PropertySchema {
    /// The validation rules of the property that a browser can check.
    var clientValidation: ClientValidation? {
        guard !isSecret else { return nil }
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            switch attribute {
            case .length(let bounds):
                guard let most = bounds.most else { continue }
                return ClientValidation(
                    advice: localized(
                        most, one: "Enter at most 1 character.", other: "Enter at most \(most) characters."),
                    longest: most)
            case .range(let bounds):
                let advice =
                    switch (bounds.least.map(Self.text), bounds.most.map(Self.text)) {
                    case (let least?, let most?): localized("Enter a number from \(least) to \(most).")
                    case (let least?, nil): localized("Enter a number of at least \(least).")
                    case (nil, let most?): localized("Enter a number of at most \(most).")
                    case (nil, nil): ""
                    }
                return advice.isEmpty
                    ? nil
                    : ClientValidation(advice: advice, least: bounds.least?.description, most: bounds.most?.description)
            case .pattern(let pattern, let hint):
                return ClientValidation(
                    advice: hint.map { localized("Enter \($0.translated).") }
                        ?? localized("This value doesn’t have the required format."), pattern: pattern)
            default: continue
            }
        }
        return nil
    }

    private static func text(_ number: Decimal) -> String { NumberText.ungrouped("\(number)") }
}
