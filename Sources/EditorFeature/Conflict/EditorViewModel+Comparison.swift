import AviaryDesign
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

extension EditorViewModel {
    /// Tells all that others did meanwhile to the rows and to the record, beside whatever else is wrong.
    mutating func tellOfChanges(_ history: (any HistoryRepository)?, at now: Date) async {
        await compareRows(history: history, at: now)
        // Unreadable for a moment: the page goes on without the other text, and Save asks again.
        if !isNew, let current = try? await repository.find(record), current.version != version {
            if current.version != against { await takeOverLinks() }
            await compare(with: current, history: history, at: now)
        }
        tellOfRows()
    }

    /// Shows again what the page showed, where that is still what is stored.
    mutating func tellOfChangesAgain(_ history: (any HistoryRepository)?, at now: Date) async {
        if let against, comparisons.isEmpty, merged.isEmpty, let current = try? await repository.find(record),
            current.version == against
        {
            await compare(with: current, history: history, at: now)
        }
        await compareRows(history: history, at: now) {
            $0.against != nil && $0.against == $0.storedVersion && $0.merge.isEmpty
        }
    }

    @discardableResult
    mutating func compare(with current: Record, history: (any HistoryRepository)?, at now: Date) async -> RecordPast? {
        var past: RecordPast?
        if let version {
            // Without the history every difference is to be chosen.
            past = (try? await history?.past(of: record, in: schema.name, since: version)) ?? nil
        }
        compare(with: current, past: past, at: now)
        return past
    }

    /// Nil where nothing was changed that the page shows.
    func changeMessage(_ sentences: [String]) -> EditorMessage? {
        let sentences = sentences + rowChanges
        guard !sentences.isEmpty else { return nil }
        // Of a row that goes nothing is to be chosen but that.
        let merges = rowLists.values.flatMap { $0.entries.filter { !$0.goes }.map(\.merge) }
        let advice =
            if !comparisons.isEmpty || merges.contains(where: { !$0.comparisons.isEmpty }) {
                localized("Choose which text to keep in each field below, then save. Cancel keeps what is stored.")
            } else if rowLists.values.contains(where: { $0.entries.contains(where: \.isGone) }) {
                localized("Leave out below what is gone, then save. Cancel keeps what is stored.")
            } else if rowLists.values.contains(where: { $0.entries.contains(where: \.asksRemoval) }) {
                localized(
                    "Say below whether what you removed shall go all the same, then save. Cancel keeps what is stored.")
            } else if !merged.isEmpty || merges.contains(where: { !$0.merged.isEmpty }) {
                localized("None of it is in what you typed: Save stores both, Cancel keeps only what is stored.")
            } else {
                localized("Save stores your text, Cancel keeps what is stored.")
            }
        return EditorMessage(.warning, (sentences + [advice]).joined(separator: " "))
    }
}

extension EditorView {
    /// Says that a field has the text of somebody else.
    func takenOver(_ property: PropertySchema, _ merge: FieldComparison?, isOwn: Bool) -> String? {
        merge.map { merge in
            let before = shown(merge.before ?? "", of: property)
            return isOwn
                ? localized("Changed elsewhere meanwhile, from \(before), and taken over: you had not changed it here.")
                : localized(
                    "Changed by somebody else meanwhile, from \(before), and taken over: you had not changed it.")
        }
    }

    /// Asks which of two texts shall stay.
    func comparison(_ property: PropertySchema, _ both: FieldComparison?, _ name: String, isOwn: Bool) -> Comparison? {
        guard let both else { return nil }
        return Comparison(
            name: name, question: localized("Which \(property.labelInSentence) shall stay?"),
            choices: [
                Comparison.Choice(
                    value: FieldComparison.Side.mine.rawValue, title: localized("Mine, as it stands above"),
                    text: shown(both.mine, of: property),
                    isChosen: both.kept == .mine
                ),
                Comparison.Choice(
                    value: FieldComparison.Side.theirs.rawValue,
                    title: isOwn ? localized("The other, as it is stored") : localized("Theirs, as it is stored"),
                    text: shown(both.theirs, of: property), isChosen: both.kept == .theirs
                ),
            ],
            before: both.before.map { shown($0, of: property) }
        )
    }
}
