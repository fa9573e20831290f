package import Foundation

/// The paths of one model's pages in the admin.
package struct ModelPaths: Sendable, Hashable {
    package static let admin = "/admin"

    package let list: String

    package init(_ model: ModelSchema) {
        list = Self.admin + "/" + model.slug
    }

    /// The path of the sheet that continues the newest draft of a new record, or else is empty.
    package var new: String { list + "/new" }

    /// Returns the address of an empty sheet, also while drafts of new records wait.
    ///
    /// - Parameter query: The part of the list to return to.
    package func startingOver(_ query: String = "") -> String {
        new.withQuery(query.isEmpty ? Self.startOver : Self.startOver + "&" + query)
    }

    private static let startOver = "fresh=1"

    package var keepDraft: String { list + "/draft" }
    package var discardDraft: String { list + "/draft/discard" }
    package var reopenDraft: String { list + "/draft/reopen" }
    /// The path at which scripts request the choices of a picker.
    package var choices: String { list + "/choices" }
    package var delete: String { list + "/delete" }
    package var batch: String { list + "/batch" }
    package var columns: String { list + "/columns" }
    package var export: String { list + "/export" }
    package var importing: String { list + "/import" }

    package func importing(_ file: String) -> String { importing + "/" + file }

    package func record(_ id: UUID) -> String {
        list + "/" + id.canonicalText
    }
}

extension String {
    /// Returns the path with a query if the query is not empty.
    package func withQuery(_ query: String) -> String {
        query.isEmpty ? self : self + "?" + query
    }
}
