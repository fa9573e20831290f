import AviaryDesign
import AviaryDomain
import Foundation

extension PropertySchema {
    /// What its rules say of a text, where a browser can tell.
    var courtesy: Courtesy? {
        guard !isSecret else { return nil }
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            switch attribute {
            case .length(let bounds):
                guard let most = bounds.most else { continue }
                return Courtesy(
                    advice: localized(
                        most, one: "Write at most 1 character.", other: "Write at most \(most) characters."),
                    longest: most)
            case .range(let bounds):
                let advice =
                    switch (bounds.least.map(Self.text), bounds.most.map(Self.text)) {
                    case (let least?, let most?): localized("Write a number from \(least) to \(most).")
                    case (let least?, nil): localized("Write a number of at least \(least).")
                    case (nil, let most?): localized("Write a number of at most \(most).")
                    case (nil, nil): ""
                    }
                return advice.isEmpty
                    ? nil : Courtesy(advice: advice, least: bounds.least?.description, most: bounds.most?.description)
            case .pattern(let pattern, let hint):
                return Courtesy(
                    advice: hint.map { localized("Write \($0.translated).") }
                        ?? localized("This does not have the form that is asked for."), pattern: pattern)
            default: continue
            }
        }
        return nil
    }

    private static func text(_ number: Decimal) -> String { NumberText.ungrouped("\(number)") }
}
