extension PropertyType {
    /// The description of the values below a field, where its control does not show it.
    package var hint: String? {
        switch self {
        case .sizedInteger(let width):
            localized(
                "A whole number from \(Words.grouped(String(width.range.lowerBound))) to \(Words.grouped(String(width.range.upperBound)))"
            )
        case .decimal(let scale) where scale > 0:
            localized(scale, one: "Up to 1 digit after the point", other: "Up to \(scale) digits after the point")
        case .decimal: localized("A whole number")
        case .array(let element) where element.isWrittenInLines: localized("One on each line")
        case .array: localized("A list as JSON")
        case .json: localized("As JSON")
        default: nil
        }
    }

    /// `12,408 bytes`.
    package static func size(ofBytes count: Int) -> String {
        localized(count, one: "1 byte", other: "\(count) bytes")
    }

    /// The address when following it from a page does nothing but show another: `javascript:` would run.
    package static func followable(_ address: String) -> String? {
        ["https://", "http://"].contains { address.hasPrefix($0) } ? address : nil
    }
}
