import AviaryDesign
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

/// The way between changes of records and other events, for whoever may see both.
struct ActivityTabs: Component {
    enum Place {
        case changes, events
    }

    let current: Place
    let principal: Principal

    func render(into html: inout HTML) {
        guard principal.may(.activity), principal.may(.accounts) else { return }
        html.render(
            PlaceTabs(
                label: localized("Activity"),
                places: [
                    .init(localized("Changes"), href: ActivityPaths.all, isCurrent: current == .changes),
                    .init(localized("Sign-ins and backups"), href: ActivityPaths.events, isCurrent: current == .events),
                ]))
    }
}

/// The first and the last day that something is narrowed down to.
struct ActivityDayFields {
    let query: ActivityQuery

    var fields: [Field] {
        [
            Field(name: "from", label: localized("From"), control: .date(value: query.from?.description ?? "")),
            Field(name: "to", label: localized("To"), control: .date(value: query.to?.description ?? "")),
        ]
    }

    /// Says why nothing is shown, with the way to what was meant; nil where the days are in their order. It stands below the fields,
    /// which need no words of their own for it.
    ///
    /// - Parameter path: Of the page.
    func notice(at path: String) -> Notice? {
        guard query.isUpsideDown, let from = query.from, let to = query.to else { return nil }
        let (first, last) = (DateWords.day(from.description), DateWords.day(to.description))
        return Notice(
            .warning, localized("From \(first) to \(last) ends before it begins, so nothing is in it."),
            actions: [.link(title: localized("Swap them"), href: path.withQuery(query.swapped.text))]
        )
    }
}

extension Date {
    /// The day in UTC, `2026-11-20`; empty for a time that no text stands for.
    var day: String { String((rfc3339 ?? "").prefix(10)) }
}
