import Foundation

extension PropertyType {
    /// Returns the reason for which a property of this type cannot store the value, with what to do instead; nil when
    /// it can.
    ///
    /// The property checks whether a JSON text fits its Swift type.
    package func refusal(of value: FieldValue) -> String? {
        switch (value, storage) {
        case (.text(let text), .text): refusal(ofText: text)
        case (.integer(let number), .integer): refusal(ofInteger: number)
        case (.real(let number), .real): refusal(ofReal: number)
        case (.blob(let bytes), .blob): refusal(ofBytes: bytes.count)
        default: refusal(ofOther: value)
        }
    }

    private static var mismatch: String { localized("This value doesn’t fit the field.") }

    private func refusal(ofText text: String) -> String? {
        guard text.utf8.count <= PropertySchema.longestText else {
            return localized(
                "Shorten this text to at most \(TextFormatter.grouped(PropertySchema.longestText)) bytes.")
        }
        let fits =
            switch self {
            case .date: Date(rfc3339: text)?.rfc3339 == text
            case .calendarDate: CalendarDate(text) != nil
            case .uuid, .toOne: UUID(canonicalText: text) != nil
            case .choice(let choices): choices.contains { $0.hasSameBytes(as: text) }
            case .url: URL(string: text, encodingInvalidCharacters: false)?.absoluteString == text
            case .json: JSONText.isJSON(text)
            case .array: JSONText.isJSON(text) && text.utf8.first == UInt8(ascii: "[")
            case .toMany: false
            default: true
            }
        guard fits else { return Self.mismatch }
        return text.hasNUL || isJSON && JSONText.hasNUL(text) ? Self.nulAdvice : nil
    }

    private func refusal(ofInteger number: Int64) -> String? {
        switch self {
        case .boolean: number == 0 || number == 1 ? nil : Self.mismatch
        case .integerChoice(let choices): choices.contains { $0 == number } ? nil : Self.mismatch
        case .sizedInteger(let width): width.range.contains(number) ? nil : rangeAdvice
        default: nil
        }
    }

    private func refusal(ofReal number: Double) -> String? {
        // SQLite would store NaN as NULL.
        guard number.isFinite else { return Self.mismatch }
        if self == .float, Float(exactly: number) == nil { return Self.mismatch }
        return nil
    }

    private func refusal(ofBytes count: Int) -> String? {
        count <= Self.longestData ? nil : Self.dataAdvice
    }

    /// Returns the reason for a value of another storage class, which represents a value that cannot be stored.
    private func refusal(ofOther value: FieldValue) -> String {
        switch (self, value) {
        case (.date, .real): localized("Enter a date in the years 0 to 9999.")
        case (.decimal(let scale), .text(let digits)): decimalRefusal(of: digits, scale: scale) ?? Self.mismatch
        case (.sizedInteger, .text): rangeAdvice
        case (.array(let element), .blob): localized("An entry can’t be saved.") + " " + element.entryAdvice
        case (.json, .blob):
            localized(
                "This value can’t be saved as JSON. Check for infinite numbers, years after 9999 and numbers with too many digits."
            )
        default: Self.mismatch
        }
    }
}

extension PropertyType {
    /// Returns the reason for which digits are not a number of this scale; nil when they are.
    func decimalRefusal(of digits: String, scale: Int) -> String? {
        do {
            _ = try ScaledDecimal.count(digits, scale: scale)
            return nil
        } catch {
            switch error {
            case .noNumber:
                return localized(
                    "Enter a number, such as \(NumberText.ungrouped(ScaledDecimal.text(12_345, scale: scale))).")
            case .tooManyDigits where scale == 0: return localized("Enter a whole number, such as 12.")
            case .tooManyDigits:
                return localized(
                    scale, one: "Enter at most 1 digit after the decimal point.",
                    other: "Enter at most \(scale) digits after the decimal point.")
            case .tooLarge:
                return localized(
                    "Enter a number from \(TextFormatter.grouped(ScaledDecimal.text(.min, scale: scale))) to \(TextFormatter.grouped(ScaledDecimal.text(.max, scale: scale)))."
                )
            }
        }
    }

    var rangeAdvice: String {
        guard let range = integerRange else { return localized("Enter a whole number, such as 12.") }
        return localized(
            "Enter a whole number from \(TextFormatter.grouped(String(range.lowerBound))) to \(TextFormatter.grouped(String(range.upperBound)))."
        )
    }

    /// The requirement for each entry of a list, because an entry that cannot be stored does not say why.
    private var entryAdvice: String {
        switch self {
        case .decimal(let scale):
            localized("Enter numbers of at most 18 digits, with at most \(scale) after the decimal point.")
        case .sizedInteger, .integer: rangeAdvice
        case .double, .float: localized("Enter finite numbers.")
        case .date: localized("Enter dates in the years 0 to 9999.")
        case .data: Self.dataAdvice
        default:
            localized(
                "Check for infinite numbers, years after 9999 and NUL characters.")
        }
    }

    /// The advice for a text with a NUL. C code, including SQLite's own functions, reads a text only up to its first
    /// NUL.
    static var nulAdvice: String { localized("Remove the NUL character. It can’t be saved.") }

    private var isJSON: Bool {
        switch self {
        case .json, .array: true
        default: false
        }
    }

    static var dataAdvice: String {
        localized("Choose something smaller, at most \(TextFormatter.grouped(longestData)) bytes.")
    }
}
