import AviaryDesign
package import AviaryDomain
package import Foundation

/// The addresses of the activity pages.
package enum ActivityPaths {
    package static let all = ModelPaths.admin + "/activity"
    package static let events = all + "/events"
    /// The address of the form that stops a large delete or undo.
    package static let stop = all + "/stop"

    package static func commit(_ number: Int64) -> String {
        all + "/" + String(number)
    }

    package static func undo(_ commit: Int64) -> String {
        ModelPaths.admin + "/undo/" + String(commit)
    }

    /// Returns the fields of a form that undoes something: the address to return to, and the identifier of the
    /// change set. A form that is submitted twice, for example by a double click, is processed once.
    package static func undoFields(returningTo back: String?) -> [(String, String)] {
        [("changeset", UUID.version7().canonicalText)] + (back.map { [("return", $0)] } ?? [])
    }

    /// Returns the address of a record's history.
    package static func history(of record: UUID, in model: ModelSchema) -> String {
        all.withQuery(
            FormEncoding.encode([
                FormField(name: "model", value: model.slug), FormField(name: "record", value: record.canonicalText),
            ]))
    }

    /// Returns the address of the record's sheet with its earlier values.
    ///
    /// - Parameter change: The number of the change that produced the values.
    package static func earlier(_ record: UUID, in model: ModelSchema, after change: Int64) -> String {
        ModelPaths(model).record(record).withQuery("earlier=\(change)")
    }
}

/// The tabs for changes of records and for other events, for users who are allowed to see both.
struct ActivityTabs: Component {
    enum Place {
        case changes, events
    }

    let current: Place
    let principal: Principal

    func render(into html: inout HTML) {
        guard principal.may(.activity), principal.may(.accounts) else { return }
        html.render(
            PageTabs(
                label: localized("Activity"),
                places: [
                    .init(localized("Changes"), href: ActivityPaths.all, isCurrent: current == .changes),
                    .init(localized("Audit log"), href: ActivityPaths.events, isCurrent: current == .events),
                ]))
    }
}

/// The fields for the first and last day of a filter.
struct ActivityDayFields {
    let query: ActivityQuery

    var fields: [Field] {
        [
            Field(name: "from", label: localized("From"), control: .date(value: query.from?.description ?? "")),
            Field(name: "to", label: localized("To"), control: .date(value: query.to?.description ?? "")),
        ]
    }

    /// Returns a notice that the days are in the wrong order, with a link that swaps them, or nil if they are in
    /// order.
    ///
    /// The notice is shown below the fields, so the fields need no message of their own.
    ///
    /// - Parameter path: The path of the page.
    func notice(at path: String) -> Notice? {
        guard query.isReversedRange, let from = query.from, let to = query.to else { return nil }
        let (first, last) = (DateTextFormatter.day(from.description), DateTextFormatter.day(to.description))
        return Notice(
            .warning, localized("The start (\(first)) is after the end (\(last)), so nothing matches."),
            actions: [.link(title: localized("Swap"), href: path.withQuery(query.swapped.text))]
        )
    }
}

extension Date {
    /// The day in the zone of the page, for example `2026-11-20`; empty for a time that has no text representation.
    var day: String { pageDay }

    /// The day in UTC.
    var dayInUTC: String { String((rfc3339 ?? "").prefix(10)) }
}
