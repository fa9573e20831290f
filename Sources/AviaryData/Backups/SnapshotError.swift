import AviaryDomain

/// The reason why a snapshot was not created or is rejected. It never contains a stored value.
package struct SnapshotError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case interrupted
        /// The store did not confirm that it replaced its contents.
        case unanswered
        case notGzip, damaged, cutOff
        case lineTooLong
        case notJSON(String)
        case notASnapshot
        case unsupportedVersion
        case malformedManifest(String)
        /// The name of the application that wrote the snapshot, and the name of the program's.
        case otherApp(String, program: String)
        /// The properties that differ, as lines of `Schema.summary`.
        case otherSchema(missing: [String], added: [String])
        /// A newer version of the models than the newest one that the program knows.
        case newerVersion(written: String, newest: String)
        /// A failed migration, with sentences that say why the records cannot be migrated to the program's models.
        case cannotMigrate([String])
        /// A difference between a restored store and its snapshot.
        case notProven(String)
        case unknownModel
        case malformedRecord(String)
        case invalid(model: String, property: String, String)
        case duplicate(model: String)
        case notUnique(model: String, property: String)
        case missingReference(model: String, property: String)
        case duplicateLink(model: String, property: String)
        case missingLinkEnd(model: String, property: String)
        case wrongCount(model: String, expected: Int, found: Int)
        case wrongRecordCount
        case wrongHash
        /// A history with entries of no commit, or with commits that lack entries.
        case incompleteHistory
        case missingEnd
        case afterEnd
    }

    package let reason: Reason
    /// The number of the line in the uncompressed text, from 1.
    package let line: Int?

    init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}

extension SnapshotError: CustomStringConvertible {
    package var description: String {
        line.map { localized("line \(String($0)): \(text)") } ?? text
    }

    private var text: String {
        [problem, advice].filter { !$0.isEmpty }.joined(separator: problem.hasSuffix("\n") ? "" : " ")
    }

    private var problem: String {
        switch reason {
        case .interrupted: localized("Interrupted. Nothing was changed.")
        case .unanswered: localized("Couldn’t confirm the restore: the store didn’t respond in time.")
        case .notGzip: localized("This is not a gzip file.")
        case .damaged: localized("The file is damaged.")
        case .cutOff: localized("The file is incomplete.")
        case .lineTooLong: localized("The line is too long for a record.")
        case .notJSON(let problem): localized("This is not JSON: \(problem)")
        case .notASnapshot: localized("This file is not a backup.")
        case .unsupportedVersion: localized("The backup’s format version is not supported.")
        case .malformedManifest(let problem): localized("Invalid first line: \(problem)")
        case .otherApp(let written, let program):
            localized("The backup belongs to another application: \(written), not \(program).")
        case .otherSchema(let missing, let added):
            localized("The backup’s models differ from the program’s:") + "\n"
                + missing.map { "  - \($0.printable)\n" }.joined()
                + added.map { "  + \($0.printable)\n" }.joined()
                + localized("(- only in the backup, + only in the program.)")
        case .newerVersion(let written, let newest):
            localized(
                "The backup has version \(written) of the models. This program supports versions up to \(newest).")
        case .cannotMigrate(let reasons):
            localized("The backup’s records can’t be migrated to the program’s models:") + "\n"
                + reasons.map { "  \($0.printable)\n" }.joined()
        case .notProven(let what): localized("The restore test failed: \(what)")
        case .unknownModel: localized("The record’s model is not in the schema.")
        case .malformedRecord(let problem): localized("Invalid record: \(problem)")
        case .invalid(let model, let property, let problem): "\(model).\(property): \(problem)"
        case .duplicate(let model): localized("Another \(model) has the same ID.")
        case .notUnique(let model, let property): localized("Another \(model) has the same \(property).")
        case .missingReference(let model, let property):
            localized("\(model).\(property) refers to a record that is not in the backup.")
        case .duplicateLink(let model, let property):
            localized("Duplicate link of \(model).\(property).")
        case .missingLinkEnd(let model, let property):
            localized("A link of \(model).\(property) refers to a record that is not in the backup.")
        case .wrongCount(let model, let expected, let found):
            localized("The first line lists \(String(expected)) of \(model), but the file contains \(String(found)).")
        case .wrongRecordCount: localized("The last line’s number of records is wrong.")
        case .wrongHash: localized("The checksum doesn’t match.")
        case .incompleteHistory: localized("The history is incomplete: its commits and entries don’t match.")
        case .missingEnd: localized("The last line is missing, so the backup is incomplete.")
        case .afterEnd: localized("The backup has unexpected data after its last line.")
        }
    }

    /// The advice to the user; empty if there is nothing to do.
    private var advice: String {
        switch reason {
        case .interrupted: ""
        case .unanswered: localized("Check the records before you try again.")
        case .notGzip: localized("Choose a backup file.")
        case .notASnapshot: localized("Choose a file written by the backup command.")
        case .unsupportedVersion: localized("Use the program that wrote the backup, or a newer version.")
        case .otherApp(let written, _):
            localized("If both are the same application, add --from-app \(written) on the command line.")
        case .otherSchema, .newerVersion, .cannotMigrate: localized("Restore with the program that wrote the backup.")
        default: localized("Use another copy or an older backup.")
        }
    }
}

extension SnapshotError: RedactedError {
    package var redacted: String { description }
}
