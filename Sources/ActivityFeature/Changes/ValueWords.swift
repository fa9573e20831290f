import AviaryDomain
import Foundation

/// Stored values in words, as people know them from lists and sheets.
struct ValueWords {
    let titles: RecordTitles

    /// In characters.
    static let longest = 240

    /// Nil for nothing. The value may be of another type than the property by now.
    func text(_ value: FieldValue, of property: PropertySchema?) -> String? {
        guard let property else { return value.isNull ? nil : Self.beginning(of: value.formText) }
        if let label = property.choiceLabel(of: value) { return label }
        switch (value, property.type) {
        case (.null, _): return nil
        case (.text(""), _): return localized("(empty)")
        case (.blob(let bytes), _): return PropertyType.size(ofBytes: bytes.count)
        case (.integer(let flag), .boolean): return flag == 0 ? localized("No") : localized("Yes")
        case (.text(let text), .toOne(let model)): return reference(text, to: model)
        case (.text(let text), .date): return DateWords.dateAndTime(text)
        case (.text(let text), .calendarDate): return DateWords.day(text)
        case (.text(let text), _): return Self.beginning(of: text)
        default: return Self.beginning(of: property.type.formText(of: value))
        }
    }

    func reference(_ text: String, to model: String) -> String {
        guard let id = UUID(canonicalText: text) else { return Self.beginning(of: text) }
        return titles.title(RecordKey(model: model, id: id)) ?? localized("a record that is gone")
    }

    private static func beginning(of text: String) -> String {
        text.count > longest ? text.prefix(longest) + "…" : text
    }

    /// The parts of two texts around where they begin to differ: of long ones the beginnings alone may be the same.
    static func differing(_ before: String, _ after: String) -> (String, String) {
        guard max(before.count, after.count) > longest else { return (before, after) }
        let shared = zip(before, after).prefix { $0 == $1 }.count
        let start = max(0, shared - context)
        func part(_ text: String) -> String {
            (start > 0 ? "…" : "") + beginning(of: String(text.dropFirst(start)))
        }
        return (part(before), part(after))
    }

    private static let context = 40
}
