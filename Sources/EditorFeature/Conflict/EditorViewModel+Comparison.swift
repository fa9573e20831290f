package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Lays what is stored now beside what was typed, field by field, where the editor saw an older version. A field that only
    /// others changed takes their text; one that only the editor changed keeps its own; of both, somebody has to choose.
    ///
    /// - Parameter past: What others did since; nil when nobody knows any more. Then every difference is to be chosen.
    package mutating func compare(with current: Record, past: RecordPast?, at now: Date) {
        guard let version, current.version != version else { return }
        let theirs = Dictionary(
            zip(schema.storedProperties.map(\.name), current.values), uniquingKeysWith: { first, _ in first })
        let merge = FieldMerge(
            of: schema.storedProperties.filter { mayBeCompared($0) && theirs[$0.name] != nil }, theirs: theirs,
            mine: fields,
            before: past?.before, decisions: against == current.version ? decisions : [:]
        )
        comparisons = merge.comparisons
        merged = merge.merged
        fields = merge.texts(fields)
        isOwnChange = past?.author == principal.name
        against = current.version
        stored = current
        if message == nil { message = comparisonMessage(past, at: now) }
    }

    private func mayBeCompared(_ property: PropertySchema) -> Bool {
        !property.isSecret && sheet.isEditable(property.name) && mayShow(property)
    }

    private func comparisonMessage(_ past: RecordPast?, at now: Date) -> EditorMessage? {
        changeMessage(comparisons.isEmpty && merged.isEmpty ? [] : [beginning(past, at: now)])
    }

    func beginning(_ past: RecordPast?, at now: Date) -> String {
        let name = schema.singularName
        guard let past, let author = past.author, let time = past.time else {
            return localized("This \(name) was changed while you were editing.")
        }
        let age = DateWords.age(of: time, at: now)
        return isOwnChange
            ? localized("You changed this \(name) elsewhere while you were editing here (\(age)).")
            : localized(
                "Someone else changed this \(name) while you were editing (\(Words.author(author) + ", " + age)).")
    }

    /// The fields of which nobody has said which text stays.
    var undecided: [FieldProblem] {
        guard against != nil else { return [] }
        return compared.filter { decisions[$0] == nil && schema.storedIndex(of: $0) != nil }
            .map { FieldProblem(property: $0, message: localized("Choose which text to keep.")) }
    }
}
