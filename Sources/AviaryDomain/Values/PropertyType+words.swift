extension PropertyType {
    /// What the values are, below a field, where its control does not show it.
    package var hint: String? {
        switch self {
        case .sizedInteger(let width):
            "A whole number from \(Words.grouped(String(width.range.lowerBound))) to \(Words.grouped(String(width.range.upperBound)))"
        case .decimal(let scale) where scale > 0: "Up to \(scale) digit\(scale == 1 ? "" : "s") after the point"
        case .decimal: "A whole number"
        case .array(let element) where element.isWrittenInLines: "One on each line"
        case .array: "A list as JSON"
        case .json: "As JSON"
        default: nil
        }
    }

    /// `12,408 bytes`.
    package static func size(ofBytes count: Int) -> String {
        "\(Words.grouped(count)) byte\(count == 1 ? "" : "s")"
    }

    /// The address when following it from a page does nothing but show another: `javascript:` would run.
    package static func followable(_ address: String) -> String? {
        ["https://", "http://"].contains { address.hasPrefix($0) } ? address : nil
    }
}
