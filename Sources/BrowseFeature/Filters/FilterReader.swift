import AviaryDomain
import Foundation

/// A parser of filters in the fields of an address, for example
/// `filter.diet=herbivorous&filter.born.from=2020-01-01`.
struct FilterReader {
    let configuration: ModelConfiguration

    static let prefix = "filter."
    /// The largest number of values of one filter. Users do not tick more.
    private static let mostValues = 50
    /// The largest size of a value in bytes.
    private static let longestValue = 200

    func settings(_ fields: [FormField]) throws(ListQueryError) -> [FilterSetting] {
        var found: [String: FilterSetting] = [:]
        var answers: [String: Set<Bool>] = [:]
        for field in fields where field.name.utf8.starts(with: Self.prefix.utf8) {
            let parts = field.name.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), parts.count <= 2, let filter = configuration.filter(name),
                let property = configuration.schema.property(name)
            else { throw .unknownFilter }
            // A form also submits its empty fields.
            guard !field.value.allSatisfy(\.isWhitespace) else { continue }
            try read(
                field.value, part: parts.count == 2 ? String(parts[1]) : nil, of: filter, property,
                into: &found[name, default: FilterSetting(name)]
            )
            if let isEmpty = found[name]?.isEmpty { answers[name, default: []].insert(isEmpty) }
        }
        // Ticking both "No value" and "Has a value" excludes nothing.
        for (name, answers) in answers where answers.count > 1 { found[name] = nil }
        // The order is fixed, so that the same filters have the same address.
        return configuration.filters.compactMap { found[$0.property] }.filter { !$0.isUnset }
    }

    private func read(
        _ text: String, part: String?, of filter: ListFilter, _ property: PropertySchema,
        into setting: inout FilterSetting
    ) throws(ListQueryError) {
        guard text.utf8.count <= Self.longestValue else {
            throw .unreadable(filter: property.label, advice: localized("Enter a shorter text."))
        }
        switch part {
        case nil where !filter.isRange && filter.kind != .presence:
            let value = try value(text, of: filter, property)
            guard !setting.values.contains(value) else { return }
            guard setting.values.count < Self.mostValues else { throw .tooManyValues(filter: property.label) }
            setting.values.append(value)
        case "from" where filter.isRange: setting.lower = try value(text, of: filter, property)
        case "to" where filter.isRange: setting.upper = try value(text, of: filter, property)
        case "empty" where filter.isOptional:
            switch text {
            case "1": setting.isEmpty = true
            case "0": setting.isEmpty = false
            default: throw .unreadable(filter: property.label, advice: localized("Use 1 or 0."))
            }
        default: throw .unknownFilter
        }
    }

    private func value(
        _ text: String, of filter: ListFilter, _ property: PropertySchema
    ) throws(ListQueryError) -> FieldValue {
        do {
            switch filter.kind {
            case .relation: return try PropertyType.uuid.parse(text)
            case .instant:
                // Users usually enter a day. The parser tries that first.
                if let day = CalendarDate(text.trimmingCharacters(in: .whitespaces)) { return .text(day.description) }
                return try property.type.parse(text)
            default: return try property.type.parse(text)
            }
        } catch {
            // A page shows the labels of the choices, and not the stored values.
            let advice =
                filter.kind == .choice
                ? localized("Choose one of: \(property.choiceLabels.joined(separator: ", ")).") : error.message
            throw .unreadable(filter: property.label, advice: advice)
        }
    }
}

extension FilterSetting {
    /// Returns the setting as fields of an address, which ``FilterReader`` parses.
    func fields(of configuration: ModelConfiguration) -> [FormField] {
        guard let schema = configuration.schema.property(property) else { return [] }
        let name = FilterReader.prefix + property
        var fields = values.map { FormField(name: name, value: schema.type.formText(of: $0)) }
        if let lower { fields.append(FormField(name: name + ".from", value: schema.type.formText(of: lower))) }
        if let upper { fields.append(FormField(name: name + ".to", value: schema.type.formText(of: upper))) }
        if let isEmpty { fields.append(FormField(name: name + ".empty", value: isEmpty ? "1" : "0")) }
        return fields
    }
}

/// The descriptions of filters for users.
struct FilterFormatter {
    let configuration: ModelConfiguration
    /// The titles of related records, by property.
    var titles: [String: [UUID: String]] = [:]

    func search(_ words: String) -> String { localized("Search: “\(TextFormatter.isolated(words))”") }

    /// Returns the description of a filter, for example `Diet: Herbivorous or Omnivorous`, `Born: from 1 Jan 2020`
    /// or `Category: no value`.
    func sentence(_ setting: FilterSetting) -> String {
        guard let property = configuration.schema.property(setting.property) else { return setting.property }
        var alternatives = setting.values.map { TextFormatter.isolated(word($0, of: property)) }
        if let range = range(setting, of: property) { alternatives.append(range) }
        if setting.isEmpty == true { alternatives.append(localized("no value")) }
        if alternatives.isEmpty, setting.isEmpty == false { alternatives.append(localized("has a value")) }
        return "\(property.label): \(Self.either(alternatives))"
    }

    /// Returns the warning about a range that ends before it begins.
    func reversedRange(_ setting: FilterSetting) -> String {
        guard let property = configuration.schema.property(setting.property), let lower = setting.lower,
            let upper = setting.upper
        else { return "" }
        return localized(
            "\(property.label): The start (\(word(lower, of: property))) is after the end (\(word(upper, of: property))), so nothing matches."
        )
    }

    /// Returns a value in the words that the panel's checkboxes and the chips show.
    func word(_ value: FieldValue, of property: PropertySchema) -> String {
        property.words(for: value) { titles[property.name]?[$0] } ?? ""
    }

    private func range(_ setting: FilterSetting, of property: PropertySchema) -> String? {
        switch (setting.lower.map { word($0, of: property) }, setting.upper.map { word($0, of: property) }) {
        case (let lower?, let upper?): lower == upper ? lower : localized("\(lower) to \(upper)")
        case (let lower?, nil): localized("from \(lower)")
        case (nil, let upper?): localized("up to \(upper)")
        case (nil, nil): nil
        }
    }

    private static let mostNamed = 4

    /// Returns the words as alternatives, for example `a, b or c`.
    private static func either(_ words: [String]) -> String {
        var words = words
        if words.count > mostNamed {
            let rest = words.count - mostNamed
            words = words.prefix(mostNamed) + [localized("\(rest) more")]
        }
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return localized("\(words.dropLast().joined(separator: ", ")) or \(last)")
    }
}
