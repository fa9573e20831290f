import AviaryDesign
import AviaryDomain

extension ImportJob {
    /// What goes on, or what came of it.
    var notice: Notice {
        switch state {
        case .running:
            Notice(.information, localized("The file is imported. \(progress.words) This page shows how it goes on, and may be left."))
        case .done: Notice(.success, localized("The file was imported."))
        case .failed: Notice(.failure, failure)
        case .interrupted: Notice(.warning, interruption)
        }
    }

    private var failure: String {
        if let wrongLines {
            return localized(
                wrongLines.count, one: "Nothing was imported: \(wrongLines.count) line is wrong (\(wrongLines.words)).",
                other: "Nothing was imported: \(wrongLines.count) lines are wrong (\(wrongLines.words))."
            )
        }
        let reason = reason ?? ""
        return stored.commits.isEmpty
            ? localized("Nothing was imported: \(reason)") : localized("It stopped behind line \(String(stored.lastLine)): \(reason)")
    }

    private var interruption: String {
        let batches = stored.commits.count
        guard batches > 0 else { return localized("The import was interrupted before anything was stored. Begin it again.") }
        return localized(
            batches,
            one: "The import was interrupted. 1 batch was stored, whole: the lines up to \(String(stored.lastLine)). Take its step back, or import what is behind.",
            other: "The import was interrupted. \(batches) batches were stored, each of them whole: the lines up to \(String(stored.lastLine)). Take their steps back, or import what is behind."
        )
    }
}
