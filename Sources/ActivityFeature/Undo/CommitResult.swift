package import AviaryDomain
import Foundation

/// The result of a commit in words, for example `Restored “Kea”` or `Deleted 50 animals`
package struct CommitResult: Sendable {
    /// The kind of commit: a first change, an undo or a redo.
    private enum Turn {
        case did, undid, redid
    }

    private enum Effect: CaseIterable {
        case deleted, added, changed

        init(_ kind: RecordChange.Kind) {
            self =
                switch kind {
                case .delete: .deleted
                case .insert: .added
                case .update, .link, .unlink: .changed
                }
        }
    }

    /// The largest number of a model's changes that are read to identify their records. If there are more, only
    /// their number is shown.
    private static let mostRead = 20
    /// The largest length of a name in characters.
    private static let longestTitle = 80

    package let commit: Int64
    /// Indicates whether the commit can be undone.
    package let canUndo: Bool
    private let scope: ActivityScope
    private let turn: Turn
    /// The affected records by model: the name of a single record, or the number of records.
    private var titles: [Effect: [(title: String, count: Int)]] = [:]

    /// Reads the changes of the commit.
    ///
    /// - Parameter longChange: The large change under way, read before this call; nil if there is none.
    /// - Throws: `ReadError`.
    package init(
        of commit: CommitSummary, in scope: ActivityScope, history: any HistoryRepository,
        during longChange: LongChangeStatus? = nil
    ) async throws {
        self.scope = scope
        self.commit = commit.number
        if let undone = commit.undoes {
            turn = try await history.commit(undone)?.undoes == nil ? .undid : .redid
        } else {
            turn = .did
        }
        let tally = try await history.tally(of: commit.number, during: longChange)
        let barrier = try await history.undoBarrier()
        canUndo = UndoViewModel.isPermitted(commit, tally, scope) && commit.number > barrier
        let visible = tally.filter { scope.models.contains($0.model) }
        for (model, parts) in Dictionary(grouping: visible, by: \.model).sorted(by: { $0.key < $1.key }) {
            for (effect, words) in try await words(model, parts, of: commit.number, history) {
                titles[effect, default: []].append(words)
            }
        }
    }

    private func words(
        _ model: String, _ tally: [ChangeTally], of commit: Int64, _ history: any HistoryRepository
    ) async throws -> [(Effect, (title: String, count: Int))] {
        guard tally.map(\.count).reduce(0, +) <= Self.mostRead else {
            let counts = Dictionary(tally.map { (Effect($0.kind), $0.count) }, uniquingKeysWith: max)
            // Links of inserted or deleted records are part of that change.
            return counts.filter { $0.key != .changed || counts.count == 1 }.map {
                ($0.key, (scope.counted(model, $0.value), $0.value))
            }
        }
        let changes = try await history.changes(of: commit, models: [model], after: nil, limit: Self.mostRead)
        let names = try await ChangeFormatter(changes, in: scope, history: history).titles
        let effects = Dictionary(changes.map { ($0.key, Effect($0.kind)) }) { $0 == .changed ? $1 : $0 }
        return Dictionary(grouping: effects.keys, by: { effects[$0] ?? .changed }).map { effect, keys in
            let name = keys.count == 1 ? keys.first.flatMap(names.title) : nil
            let title =
                name.map { TextFormatter.quoted(TextFormatter.beginning(of: $0, longest: Self.longestTitle)) }
                ?? scope.counted(model, keys.count)
            return (effect, (title, keys.count))
        }
    }

    /// The result in words; nil if none of it is visible.
    package var sentence: String? {
        let sentences = Effect.allCases.compactMap { effect in
            titles[effect].map { sentence(effect, TextFormatter.list($0.map(\.title)), $0.map(\.count).reduce(0, +)) }
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
    }

    private func sentence(_ effect: Effect, _ what: String, _ count: Int) -> String {
        switch (turn, effect) {
        case (.did, .added): localized("Added \(what)")
        case (.did, .changed): localized("Changed \(what)")
        case (.did, .deleted): localized("Deleted \(what)")
        case (_, .added): localized("Restored \(what)")
        case (.undid, .changed): localized("Undid the changes to \(what)")
        case (.undid, .deleted): localized("Removed \(what) again")
        case (.redid, .changed): localized("Changed \(what) again")
        case (.redid, .deleted): localized("Deleted \(what) again")
        }
    }
}
