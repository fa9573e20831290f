package import Foundation

/// The paths of one model's pages in the admin.
package struct ModelPaths: Sendable, Hashable {
    package static let admin = "/admin"

    package let list: String

    package init(_ model: ModelSchema) {
        list = Self.admin + "/" + model.slug
    }

    package var new: String { list + "/new" }
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
