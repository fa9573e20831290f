package import AviaryDomain
package import Foundation

/// The addresses of what happened.
package enum ActivityPaths {
    package static let all = ModelPaths.admin + "/activity"
    package static let events = all + "/events"

    package static func commit(_ number: Int64) -> String {
        all + "/" + String(number)
    }

    package static func undo(_ commit: Int64) -> String {
        ModelPaths.admin + "/undo/" + String(commit)
    }

    /// What a form that takes something back carries: where it leads, and the id of the change set that it becomes. Sent twice,
    /// as by a double click, it is done once.
    package static func undoFields(returningTo back: String?) -> [(String, String)] {
        [("changeset", UUID.version7().canonicalText)] + (back.map { [("return", $0)] } ?? [])
    }

    /// Everything that was done to one record.
    package static func history(of record: UUID, in model: ModelSchema) -> String {
        all.withQuery(
            FormEncoding.encode([
                FormField(name: "model", value: model.slug), FormField(name: "record", value: record.canonicalText),
            ]))
    }

    /// The record's sheet with the values that it had once.
    ///
    /// - Parameter change: The number of the change that made it so.
    package static func earlier(_ record: UUID, in model: ModelSchema, after change: Int64) -> String {
        ModelPaths(model).record(record).withQuery("earlier=\(change)")
    }
}
