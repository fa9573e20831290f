import AviaryDesign
import AviaryDomain

extension ImportJob {
    /// What goes on, or what came of it.
    func notice(canGoOn: Bool = false) -> Notice {
        switch state {
        case .running:
            Notice(
                .information,
                localized("The file is imported. \(progress.words) This page shows how it goes on, and may be left."))
        case .done: Notice(.success, localized("The file was imported."))
        case .failed: Notice(.failure, canGoOn ? failure + " " + Self.wayOn : failure)
        case .interrupted: Notice(.warning, interruption + " " + (canGoOn ? Self.wayOn : wayBack))
        }
    }

    /// That what it did is not all there any more.
    func takenBackWords(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        guard count < stored.commits.count else { return [localized("All of it was taken back since.")] }
        return [
            localized(
                count, one: "1 of its \(stored.commits.count) steps was taken back since.",
                other: "\(count) of its \(stored.commits.count) steps were taken back since."
            )
        ]
    }

    private var failure: String {
        let line = String(stored.lastLine)
        if let wrongLines {
            return stored.commits.isEmpty
                ? localized(
                    wrongLines.count,
                    one: "Nothing was imported: \(wrongLines.count) line is wrong (\(wrongLines.words)).",
                    other: "Nothing was imported: \(wrongLines.count) lines are wrong (\(wrongLines.words))."
                )
                : localized(
                    wrongLines.count,
                    one: "It stopped behind line \(line): \(wrongLines.count) line is wrong (\(wrongLines.words)).",
                    other: "It stopped behind line \(line): \(wrongLines.count) lines are wrong (\(wrongLines.words))."
                )
        }
        let reason = reason ?? ""
        return stored.commits.isEmpty
            ? localized("Nothing was imported: \(reason)") : localized("It stopped behind line \(line): \(reason)")
    }

    private var interruption: String {
        let batches = stored.commits.count
        guard batches > 0 else { return localized("The import was interrupted before anything was stored.") }
        return localized(
            batches,
            one: "The import was interrupted. 1 batch was stored, whole: the lines up to \(String(stored.lastLine)).",
            other:
                "The import was interrupted. \(batches) batches were stored, each of them whole: the lines up to \(String(stored.lastLine))."
        )
    }

    private static var wayOn: String { localized("Continue stores what is behind, and nothing twice.") }

    private var wayBack: String {
        stored.commits.isEmpty
            ? localized("Begin it again.") : localized("Take back what was stored, or import what is behind.")
    }
}
