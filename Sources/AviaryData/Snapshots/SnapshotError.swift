import AviaryDomain

/// Why a snapshot was not made or is refused. Never carries a stored value.
package struct SnapshotError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case interrupted
        /// The store did not say whether it took what was restored.
        case unanswered
        case notGzip, damaged, cutOff
        case lineTooLong
        case notJSON(String)
        case notASnapshot
        case unsupportedVersion
        case malformedManifest(String)
        /// An application's name, and the program's.
        case otherApp(String, program: String)
        /// Lines as in `Schema.summary`.
        case otherSchema(missing: [String], added: [String])
        /// Versions of the models.
        case newerVersion(written: String, newest: String)
        /// Sentences: why its records cannot come to the program's models.
        case cannotMigrate([String])
        /// What a restore gave is not what the snapshot says.
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
        case missingEnd
        case afterEnd
    }

    package let reason: Reason
    /// Of the uncompressed text, from 1.
    package let line: Int?

    init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}

extension SnapshotError: CustomStringConvertible {
    package var description: String {
        (line.map { "line \($0): " } ?? "") + text
    }

    private var text: String {
        switch reason {
        case .interrupted: "Interrupted; nothing was changed."
        case .unanswered: "The store did not answer in time, so it is not known whether the restore is done. Look at the records before you try again."
        case .notGzip: "This is not a gzip file. Give the name of a snapshot."
        case .damaged: "The file is damaged. \(Self.otherCopy)"
        case .cutOff: "The file is cut off. \(Self.otherCopy)"
        case .lineTooLong: "The line is longer than any record can be. \(Self.otherCopy)"
        case .notJSON(let problem): "This is not JSON: \(problem) \(Self.otherCopy)"
        case .notASnapshot: "This is not a snapshot. Give the name of a file that backup has written."
        case .unsupportedVersion: "The snapshot has another version of the format. Use the program that wrote it, or a newer one."
        case .malformedManifest(let problem): "The first line is not as it must be: \(problem) \(Self.otherCopy)"
        case .otherApp(let written, let program):
            "The snapshot is of another application: \(written), not \(program). Should they be the same under two names, "
                + "give --from-app \(written) on the command line."
        case .otherSchema(let missing, let added):
            "The snapshot's models differ from the program's:\n" + missing.map { "  - \($0.printable)\n" }.joined()
                + added.map { "  + \($0.printable)\n" }.joined()
                + "(- only in the snapshot, + only in the program.) Restore it with the program that wrote it."
        case .newerVersion(let written, let newest):
            "The snapshot is of version \(written) of the models, and this program knows them up to \(newest). "
                + "Restore it with the program that wrote it."
        case .cannotMigrate(let reasons):
            "The snapshot is of other models, and its records cannot be brought to the program's:\n"
                + reasons.map { "  \($0.printable)\n" }.joined() + "Restore it with the program that wrote it."
        case .notProven(let what): "The snapshot was restored for a trial, and \(what) \(Self.otherCopy)"
        case .unknownModel: "The record's model is not in the schema. \(Self.otherCopy)"
        case .malformedRecord(let problem): "The record is not as it must be: \(problem) \(Self.otherCopy)"
        case .invalid(let model, let property, let problem): "\(model).\(property): \(problem) \(Self.otherCopy)"
        case .duplicate(let model): "Another \(model) has the same id. \(Self.otherCopy)"
        case .notUnique(let model, let property): "Another \(model) has the same \(property). \(Self.otherCopy)"
        case .missingReference(let model, let property):
            "\(model).\(property) points to a record that is not in the snapshot. \(Self.otherCopy)"
        case .duplicateLink(let model, let property): "The same link of \(model).\(property) is there already. \(Self.otherCopy)"
        case .missingLinkEnd(let model, let property):
            "A link of \(model).\(property) leads to a record that is not in the snapshot. \(Self.otherCopy)"
        case .wrongCount(let model, let expected, let found):
            "The first line promises \(expected) of \(model), and there are \(found). \(Self.otherCopy)"
        case .wrongRecordCount: "The last line gives another number of records than there are. \(Self.otherCopy)"
        case .wrongHash: "The contents are not those that were written: the hash differs. \(Self.otherCopy)"
        case .missingEnd: "The last line is missing, so the snapshot is incomplete. \(Self.otherCopy)"
        case .afterEnd: "Something follows the snapshot's last line. \(Self.otherCopy)"
        }
    }

    private static let otherCopy = "Use another copy or an older snapshot."
}
