import AviaryDomain
import Foundation

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
