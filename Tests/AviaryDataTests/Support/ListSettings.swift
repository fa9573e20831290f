import AviaryDomain
import Foundation
import TestSupport

@testable import AviaryData

/// A search and filters as a user sets them, with an evaluation that does not use the store's implementation.
struct ListSettings: CustomStringConvertible {
    var prefix: String?
    var filters: [FilterSetting] = []

    private static let properties = ["diet", "category", "legs", "weight", "born", "note"]

    static func random(_ categories: [Category], _ generator: inout SeededGenerator) -> ListSettings {
        var settings = ListSettings()
        if Int.random(in: 0..<3, using: &generator) == 0 {
            settings.prefix = ["x", "X", "xa", "XA", "xä", "x!", "y", "xab"].randomElement(using: &generator)
        }
        for property in properties.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)) {
            var setting = FilterSetting(property)
            switch property {
            case "diet":
                setting.values = Animal.Diet.allCases.map(\.fieldValue).shuffled(using: &generator).prefix(
                    Int.random(in: 1...2, using: &generator)
                ).map(\.self)
            case "category":
                setting.values = categories.shuffled(using: &generator).prefix(Int.random(in: 0...2, using: &generator))
                    .map { $0.id.uuid.fieldValue }
                if Bool.random(using: &generator) || setting.values.isEmpty {
                    setting.isEmpty = Bool.random(using: &generator)
                }
            case "legs":
                if Bool.random(using: &generator) {
                    setting.lower = .integer([0, 2, -1].randomElement(using: &generator) ?? 0)
                }
                if Bool.random(using: &generator) {
                    setting.upper = .integer([2, 4, Int64.max].randomElement(using: &generator) ?? 0)
                }
                if Bool.random(using: &generator) { setting.isEmpty = Bool.random(using: &generator) }
            case "weight": setting.lower = .real([0, -0.5, 1].randomElement(using: &generator) ?? 0)
            case "born": setting.upper = .text(["0001-01-01", "0002-01-01"].randomElement(using: &generator) ?? "")
            default: setting.isEmpty = Bool.random(using: &generator)
            }
            if !setting.isUnset { settings.filters.append(setting) }
        }
        return settings
    }

    var conditions: [QueryExpression] {
        let search = prefix.map { QueryExpression.startsIgnoringCase(property: "name", $0) }
        return [search].compactMap(\.self)
            + filters.compactMap { setting in
                Animal.schema.property(setting.property).flatMap { ListFilter($0) }?.condition(setting)
            }
    }

    func holds(for record: Record) -> Bool {
        if let prefix {
            guard case .text(let name) = record.value("name", in: Animal.schema), name.utf8.count >= prefix.utf8.count,
                zip(name.utf8, prefix.utf8).allSatisfy({ lower($0) == lower($1) })
            else { return false }
        }
        return filters.allSatisfy { holds($0, for: record.value($0.property, in: Animal.schema)) }
    }

    private func lower(_ byte: UInt8) -> UInt8 { 65...90 ~= byte ? byte + 32 : byte }

    private func holds(_ setting: FilterSetting, for value: FieldValue) -> Bool {
        if value.isNull { return setting.isEmpty == true }
        if setting.values.contains(value) { return true }
        if setting.lower != nil || setting.upper != nil {
            return number(value) >= (setting.lower.map(number) ?? -.infinity)
                && number(value) <= (setting.upper.map(number) ?? .infinity)
        }
        return setting.isEmpty == false && setting.values.isEmpty
    }

    /// Returns the number of a value. A day is represented by its year, because no others are used.
    private func number(_ value: FieldValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .text(let text): Double(text.prefix(4)) ?? .nan
        case .null, .blob: .nan
        }
    }

    var description: String { "\(prefix ?? "-") \(filters)" }
}
