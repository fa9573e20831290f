import AviaryDomain
import Foundation

/// Stored values in words, as people know them from lists and sheets.
struct ValueWords {
    let scope: ActivityScope
    let titles: RecordTitles

    /// Of an array, where two may differ in the last.
    private static let mostElements = 50
    /// What two long texts have in common before they begin to differ, in characters.
    private static let context = 40

    /// Nil for nothing. The value may be of another type than the property by now.
    func text(_ value: FieldValue, of property: PropertySchema?) -> String? {
        guard let property else { return value.isNull ? nil : Words.beginning(of: value.formText) }
        let text = property.words(for: value, elements: Self.mostElements) { id in
            property.type.model.flatMap { name(RecordKey(model: $0, id: id)) }
        }
        return text == "" ? localized("(empty)") : text
    }

    /// What is there without a name of its own is not gone.
    private func name(_ key: RecordKey) -> String? {
        titles.title(key)
            ?? (titles.exists(key) ? scope.schema(key.model).map { Words.withArticle($0.singularName) } : nil)
    }

    /// The parts of two texts around where they begin to differ: of long ones the beginnings alone may be the same.
    static func differing(_ before: String, _ after: String) -> (String, String) {
        guard max(before.count, after.count) > Words.longestBeginning else { return (before, after) }
        let shared = zip(before, after).prefix { $0 == $1 }.count
        let start = max(0, shared - context)
        func part(_ text: String) -> String {
            (start > 0 ? "…" : "") + Words.beginning(of: String(text.dropFirst(start)))
        }
        return (part(before), part(after))
    }
}
