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
        Notice(
            .information,
            [what + ".", beginning, progress, localized("You can leave this page.")].joined(separator: " "),
            actions: canBeStopped
                ? [
                    .post(
                        title: localized("Stop"), action: ActivityPaths.stop, csrf: csrf,
                        hidden: [("changeset", status.changeSet.canonicalText)])
                ] : [])
    }

    /// The change in words, for example `Deleting 12,000 animals`.
    package var what: String {
        if status.step == .stopping { return localized("Stopping a large change") }
        let isDone = status.step == .completing
        if let commit = status.undoes {
            return isDone
                ? localized("Undid step \(String(commit))") : localized("Undoing step \(String(commit))")
        }
        let counts = status.records.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map(scope.counted)
        // The records are being found, so that their number is not known yet.
        guard !counts.isEmpty, status.step != .preparing else {
            return isDone ? localized("Deleted many records") : localized("Deleting many records")
        }
        let list = TextFormatter.list(counts)
        return isDone ? localized("Deleted \(list)") : localized("Deleting \(list)")
    }

    private var beginning: String {
        // The name of an account never contains a blank.
        status.author.contains(" ")
            ? localized("Started from the \(TextFormatter.author(status.author)).")
            : localized("Started by \(status.author).")
    }

    /// The progress of the step in a sentence.
    package var progress: String {
        let done = TextFormatter.grouped(min(status.done, status.total)), total = TextFormatter.grouped(status.total)
        return switch (status.step, status.undoes) {
        case (.preparing, nil): localized("\(total) records found so far.")
        case (.checking, nil): localized("\(done) of \(total) records checked.")
        case (.preparing, _?), (.checking, _?): localized("\(done) of \(total) records restored.")
        case (.completing, nil):
            localized("Nobody sees these records any more. \(done) of \(total) records are cleaned up.")
        case (.completing, _?):
            localized("Everybody sees the result. The history of \(done) of \(total) records is written.")
        case (.stopping, _): localized("Nothing was changed. \(done) of \(total) records are cleaned up.")
        }
    }
}
