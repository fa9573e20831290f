import AviaryDomain
import Foundation

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
