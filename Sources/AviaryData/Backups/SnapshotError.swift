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
        case .interrupted: localized("Interrupted; nothing was changed.")
        case .unanswered: localized("The store did not answer in time, so it is not known whether the restore is done.")
        case .notGzip: localized("This is not a gzip file.")
        case .damaged: localized("The file is damaged.")
        case .cutOff: localized("The file is cut off.")
        case .lineTooLong: localized("The line is longer than any record can be.")
        case .notJSON(let problem): localized("This is not JSON: \(problem)")
        case .notASnapshot: localized("This is not a snapshot.")
        case .unsupportedVersion: localized("The snapshot has another version of the format.")
        case .malformedManifest(let problem): localized("The first line is not as it must be: \(problem)")
        case .otherApp(let written, let program):
            localized("The snapshot is of another application: \(written), not \(program).")
        case .otherSchema(let missing, let added):
            localized("The snapshot's models differ from the program's:") + "\n"
                + missing.map { "  - \($0.printable)\n" }.joined()
                + added.map { "  + \($0.printable)\n" }.joined()
                + localized("(- only in the snapshot, + only in the program.)")
        case .newerVersion(let written, let newest):
            localized(
                "The snapshot is of version \(written) of the models, and this program knows them up to \(newest).")
        case .cannotMigrate(let reasons):
            localized("The snapshot is of other models, and its records cannot be brought to the program's:") + "\n"
                + reasons.map { "  \($0.printable)\n" }.joined()
        case .notProven(let what): localized("The snapshot was restored for a trial, and \(what)")
        case .unknownModel: localized("The record's model is not in the schema.")
        case .malformedRecord(let problem): localized("The record is not as it must be: \(problem)")
        case .invalid(let model, let property, let problem): "\(model).\(property): \(problem)"
        case .duplicate(let model): localized("Another \(model) has the same id.")
        case .notUnique(let model, let property): localized("Another \(model) has the same \(property).")
        case .missingReference(let model, let property):
            localized("\(model).\(property) points to a record that is not in the snapshot.")
        case .duplicateLink(let model, let property):
            localized("The same link of \(model).\(property) is there already.")
        case .missingLinkEnd(let model, let property):
            localized("A link of \(model).\(property) leads to a record that is not in the snapshot.")
        case .wrongCount(let model, let expected, let found):
            localized("The first line promises \(String(expected)) of \(model), and there are \(String(found)).")
        case .wrongRecordCount: localized("The last line gives another number of records than there are.")
        case .wrongHash: localized("The contents are not those that were written: the hash differs.")
        case .incompleteHistory: localized("The history is incomplete: its commits and their entries do not fit.")
        case .missingEnd: localized("The last line is missing, so the snapshot is incomplete.")
        case .afterEnd: localized("Something follows the snapshot's last line.")
        }
    }

    /// The advice to the user; empty if there is nothing to do.
    private var advice: String {
        switch reason {
        case .interrupted: ""
        case .unanswered: localized("Look at the records before you try again.")
        case .notGzip: localized("Give the name of a snapshot.")
        case .notASnapshot: localized("Give the name of a file that backup has written.")
        case .unsupportedVersion: localized("Use the program that wrote it, or a newer one.")
        case .otherApp(let written, _):
            localized("Should they be the same under two names, give --from-app \(written) on the command line.")
        case .otherSchema, .newerVersion, .cannotMigrate: localized("Restore it with the program that wrote it.")
        default: localized("Use another copy or an older snapshot.")
        }
    }
}

extension SnapshotError: RedactedError {
    package var redacted: String { description }
}
