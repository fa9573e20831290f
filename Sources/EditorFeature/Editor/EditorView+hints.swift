import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// What stands below a control that does not explain its value itself.
    func hint(_ property: PropertySchema, text: String) -> String? {
        if property.isSecret { return model.isNew ? nil : localized("Left empty, what is stored stays as it is.") }
        guard property.type == .data, !text.isEmpty else {
            return property.type == .data ? localized("As Base64") : property.hint
        }
        let size = Data(base64Encoded: text).map { PropertyType.size(ofBytes: $0.count) }
        return size.map { localized("\($0), as Base64; empty the field to clear it") }
            ?? localized("As Base64; empty the field to clear it")
    }
}

extension PropertySchema {
    /// What the values are: as declared, else as their type is.
    fileprivate var hint: String? {
        if let embedded = embeddedProperties, !embedded.isEmpty {
            return localized("As JSON with \(Words.list(embedded.map(\.key)))")
        }
        for attribute in attributes {
            switch attribute {
            case .pattern(_, let hint?): return Words.capitalized(hint.translated)
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

    /// A hint that goes on with another: `up to 2 digits after the point`.
    private static func continued(_ hint: String) -> String {
        Language.current == nil ? hint.prefix(1).lowercased() + hint.dropFirst() : hint
    }
}
