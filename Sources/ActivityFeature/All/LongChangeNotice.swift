package import AviaryDesign
package import AviaryDomain
import Foundation

/// The notice about a large delete or undo that the store makes in steps.
package struct LongChangeNotice {
    private let status: LongChangeStatus
    private let scope: ActivityScope

    package init(_ status: LongChangeStatus, in scope: ActivityScope) {
        self.status = status
        self.scope = scope
    }

    /// Indicates whether the principal is allowed to stop the change now.
    ///
    /// A stop leaves nothing done. It is for the author, and for a role that may delete the records concerned.
    package var canBeStopped: Bool {
        guard status.canBeStopped else { return false }
        if status.author == scope.principal.name { return true }
        return !status.records.isEmpty && status.records.keys.allSatisfy { scope.principal.may(.delete, $0) }
    }

    /// Returns the notice, with a button that stops the change if it can be stopped.
    package func notice(csrf: String) -> Notice {
        let author = TextFormatter.author(status.author)
        return Notice(
            .information, localized("\(what) Started by \(author) (\(progress)). You can leave this page."),
            actions: canBeStopped
                ? [
                    .post(
                        title: localized("Stop"), action: ActivityPaths.stop, csrf: csrf,
                        hidden: [("changeset", status.changeSet.canonicalText)])
                ] : [])
    }

    private var what: String {
        if status.step == .stopping { return localized("Stopping a large change.") }
        if let commit = status.undoes { return localized("Undoing step \(String(commit)).") }
        let counts = status.records.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map(scope.counted)
        return counts.isEmpty
            ? localized("Deleting many records.") : localized("Deleting \(TextFormatter.list(counts)).")
    }

    private var progress: String {
        let done = TextFormatter.grouped(min(status.done, status.total)), total = TextFormatter.grouped(status.total)
        return switch (status.step, status.undoes) {
        case (.preparing, nil): localized("\(total) found")
        case (.checking, nil): localized("\(done) of \(total) checked")
        case (.preparing, _?), (.checking, _?): localized("\(done) of \(total) restored")
        case (.completing, _): localized("\(done) of \(total) rows done; everybody sees the result already")
        case (.stopping, _): localized("\(done) of \(total) rows removed; nothing was changed")
        }
    }
}
