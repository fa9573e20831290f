import AviaryDesign
package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// Compares the stored record with the typed texts, field by field, if the editor loaded an older version.
    ///
    /// A field that only others changed takes their text. A field that only the editor changed keeps its own. If
    /// both changed it, the user chooses.
    ///
    /// - Parameter past: The changes that others made since the editor loaded the record; nil if they are unknown.
    ///   The user then chooses for every difference.
    package mutating func compare(with current: Record, past: ConcurrentChanges?, at now: Date) {
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

    private func comparisonMessage(_ past: ConcurrentChanges?, at now: Date) -> EditorMessage? {
        changeMessage(comparisons.isEmpty && merged.isEmpty ? [] : [beginning(past, at: now)])
    }

    func beginning(_ past: ConcurrentChanges?, at now: Date) -> String {
        let name = schema.singularName
        guard let past, let author = past.author, let time = past.time else {
            return localized("This \(name) was changed while you were editing.")
        }
        let age = DateTextFormatter.age(of: time, at: now)
        return isOwnChange
            ? localized("You changed this \(name) elsewhere while you were editing (\(age)).")
            : localized(
                "Someone else changed this \(name) while you were editing (\(TextFormatter.author(author) + ", " + age))."
            )
    }

    /// The compared fields for which the user has not chosen a text yet.
    var undecided: [FieldProblem] {
        guard against != nil else { return [] }
        return compared.filter { decisions[$0] == nil && schema.storedIndex(of: $0) != nil }
            .map { FieldProblem(property: $0, message: localized("Choose which version to keep.")) }
    }
}

extension EditorViewModel {
    /// Adds everything that others changed in the rows and in the record to the problems that the page already
    /// shows.
    mutating func addChangeMessages(_ history: (any HistoryRepository)?, at now: Date) async {
        await compareRows(history: history, at: now)
        // A failed read is ignored: the page omits the other text, and the next Save reads again.
        if !isNew, let current = try? await repository.find(record), current.version != version {
            if current.version != against { await takeOverLinks() }
            await compare(with: current, history: history, at: now)
        }
        addRowMessages()
    }

    /// Repeats the comparisons that the submitted page showed, as long as the stored versions are still the same.
    mutating func repeatChangeMessages(_ history: (any HistoryRepository)?, at now: Date) async {
        // A page without the comparisons is better than no page. The next save compares again.
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
    mutating func compare(with current: Record, history: (any HistoryRepository)?, at now: Date) async
        -> ConcurrentChanges?
    {
        var past: ConcurrentChanges?
        if let version {
            // If the history cannot be read, the user chooses for every difference.
            past = (try? await history?.past(of: record, in: schema.name, since: version)) ?? nil
        }
        compare(with: current, past: past, at: now)
        return past
    }

    /// Returns the warning about changes by others, or nil if they changed nothing that the page shows.
    func changeMessage(_ sentences: [String]) -> EditorMessage? {
        let sentences = sentences + rowChanges
        guard !sentences.isEmpty else { return nil }
        // A row that is being removed asks only about its removal, so its fields are not considered.
        let merges = rowLists.values.flatMap { $0.entries.filter { !$0.willBeDeleted }.map(\.merge) }
        let advice =
            if !comparisons.isEmpty || merges.contains(where: { !$0.comparisons.isEmpty }) {
                localized("Choose which version to keep for each field below, then save. Cancel discards your changes.")
            } else if rowLists.values.contains(where: { $0.entries.contains(where: \.isGone) }) {
                localized(
                    "Select “Don’t add this row” for each deleted row below, then save. Cancel discards your changes.")
            } else if rowLists.values.contains(where: { $0.entries.contains(where: \.asksRemoval) }) {
                localized(
                    "Choose whether to remove the changed rows below, then save. Cancel discards your changes.")
            } else if !merged.isEmpty || merges.contains(where: { !$0.merged.isEmpty }) {
                localized("Your changes don’t conflict. Save keeps both, Cancel discards yours.")
            } else {
                localized("Save keeps your version, Cancel discards it.")
            }
        return EditorMessage(.warning, (sentences + [advice]).joined(separator: " "))
    }
}

extension EditorView {
    /// Returns the help text of a field that took over the text of somebody else.
    func takenOver(_ property: PropertySchema, _ merge: FieldComparison?, isOwn: Bool) -> String? {
        merge.map { merge in
            let before = shown(merge.before ?? "", of: property)
            return isOwn
                ? localized("Updated with your change from elsewhere (before: \(before)).")
                : localized(
                    "Updated with someone else’s change (before: \(before)).")
        }
    }

    /// Returns the question which of two texts to keep.
    func comparison(_ property: PropertySchema, _ both: FieldComparison?, _ name: String, isOwn: Bool) -> Comparison? {
        guard let both else { return nil }
        return Comparison(
            name: name, question: localized("Which \(property.labelInSentence) do you want to keep?"),
            choices: [
                Comparison.Choice(
                    value: FieldComparison.Side.mine.rawValue, title: localized("Your version"),
                    text: shown(both.mine, of: property),
                    isChosen: both.kept == .mine
                ),
                Comparison.Choice(
                    value: FieldComparison.Side.theirs.rawValue,
                    title: isOwn ? localized("Saved version") : localized("Saved version"),
                    text: shown(both.theirs, of: property), isChosen: both.kept == .theirs
                ),
            ],
            before: both.before.map { shown($0, of: property) }
        )
    }
}
