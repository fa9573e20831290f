package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Lays what is stored now beside what was typed, field by field, where the editor saw an older version. A field that only
    /// others changed takes their text; one that only the editor changed keeps its own; of both, somebody has to choose.
    ///
    /// - Parameter past: What others did since; nil when nobody knows any more. Then every difference is to be chosen.
    package mutating func compare(with current: Record, past: RecordPast?, at now: Date) {
        guard let version, current.version != version else { return }
        let texts = schema.formTexts(of: current.values)
        comparisons = [:]
        merged = [:]
        for (property, value) in zip(schema.storedProperties, current.values) where mayBeCompared(property) {
            let theirs = texts[property.name] ?? "", mine = fields[property.name] ?? ""
            guard isOther(theirs, than: mine, in: property) else { continue }
            let before = past?.before.map { before in property.controlText(of: before[property.name] ?? value) }
            if let before, !isOther(before, than: mine, in: property) {
                merged[property.name] = FieldComparison(before: before, theirs: theirs, mine: mine, kept: .theirs)
                fields[property.name] = theirs
            } else if let before, !isOther(before, than: theirs, in: property) {
                continue
            } else {
                comparisons[property.name] = FieldComparison(
                    before: before, theirs: theirs, mine: mine, kept: against == current.version ? decisions[property.name] : nil
                )
            }
        }
        isOwnChange = past?.author == principal.name
        against = current.version
        stored = current
        if message == nil { message = comparisonMessage(past, at: now) }
    }

    private func mayBeCompared(_ property: PropertySchema) -> Bool {
        !property.isSecret && sheet.isEditable(property.name) && mayShow(property)
    }

    private func comparisonMessage(_ past: RecordPast?, at now: Date) -> EditorMessage? {
        if comparisons.isEmpty, merged.isEmpty { return nil }
        let start = beginning(past, at: now)
        guard !comparisons.isEmpty else {
            return EditorMessage(.warning, start + " " + localized("None of it is in what you typed: Save stores both, Cancel keeps only what is stored."))
        }
        return EditorMessage(.warning, start + " " + localized("Choose which text to keep in each field below, then save. Cancel keeps what is stored."))
    }

    func beginning(_ past: RecordPast?, at now: Date) -> String {
        let name = schema.singularName
        guard let past, let author = past.author, let time = past.time else {
            return localized("This \(name) was changed while you were editing.")
        }
        let age = DateWords.age(of: time, at: now)
        return isOwnChange
            ? localized("You changed this \(name) elsewhere while you were editing here (\(age)).")
            : localized("Someone else changed this \(name) while you were editing (\(Words.author(author) + ", " + age)).")
    }

    /// The fields of which nobody has said which text stays.
    var undecided: [FieldProblem] {
        guard against != nil else { return [] }
        return compared.filter { decisions[$0] == nil && schema.storedIndex(of: $0) != nil }
            .map { FieldProblem(property: $0, message: localized("Choose which text to keep.")) }
    }

    /// Whether the texts mean something else: `2.5` is `2.50`, and JSON may be written in many ways.
    private func isOther(_ stored: String, than typed: String, in property: PropertySchema) -> Bool {
        guard !stored.hasSameLines(as: typed) else { return false }
        guard case .success(let value) = property.parse(typed: typed) else { return true }
        return property.parse(stored) != .success(value)
    }
}
