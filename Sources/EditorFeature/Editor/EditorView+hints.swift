import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// What stands below a control that does not explain its value itself.
    func hint(_ property: PropertySchema, text: String) -> String? {
        if property.isSecret { return model.isNew ? nil : "Left empty, what is stored stays as it is." }
        guard property.type == .data, !text.isEmpty else { return property.type == .data ? "As Base64" : property.hint }
        let size = Data(base64Encoded: text).map { PropertyType.size(ofBytes: $0.count) }
        return (size.map { "\($0), as Base64" } ?? "As Base64") + "; empty the field to clear it"
    }
}

extension PropertySchema {
    /// What the values are: as declared, else as their type is.
    fileprivate var hint: String? {
        if let embedded = embeddedProperties, !embedded.isEmpty { return "As JSON with \(Words.list(embedded.map(\.key)))" }
        for attribute in attributes {
            switch attribute {
            case .pattern(_, let hint?): return Words.capitalized(hint)
            case .range(let bounds): return hint(bounds)
            default: continue
            }
        }
        return type.hint
    }

    private func hint(_ bounds: NumberBounds) -> String? {
        var hint = switch (bounds.least, bounds.most) {
        case (let least?, let most?): "From \(least) to \(most)"
        case (let least?, nil): "At least \(least)"
        case (nil, let most?): "At most \(most)"
        case (nil, nil): ""
        }
        if case .decimal = type, let digits = type.hint { hint += ", " + digits.prefix(1).lowercased() + digits.dropFirst() }
        return hint.isEmpty ? type.hint : hint
    }
}
