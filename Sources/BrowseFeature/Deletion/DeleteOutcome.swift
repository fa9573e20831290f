package import AviaryDesign
package import Foundation

/// What became of a wish to delete.
package enum DeleteOutcome: Sendable, Hashable {
    /// Gone, with what went along, by this commit.
    case deleted(ids: [UUID], message: String, commit: Int64)
    /// Other records would go too: ask first.
    case question(DeleteQuestion)
    /// Refused, and why, in words, with the names in them that lead to records. Nothing was deleted.
    case refused(reason: String, isTemporary: Bool, links: [LinkedText.Link] = [])
}

/// What is asked before a delete takes other records along.
package struct DeleteQuestion: Sendable, Hashable, Codable {
    package let title: String
    package let lines: [String]
    /// Names in the lines that lead to records.
    package let links: [LinkedText.Link]
    /// The words on the button; nil when something stands against the delete, and there is nothing to confirm.
    package let confirm: String?
    /// How many other records the answer allows to go.
    package let allow: Int
}
