package import AviaryDomain
package import Foundation

/// The part of the activity that an address specifies.
package struct ActivityQuery: Sendable, Hashable {
    /// The slug of a model.
    package var model: String?
    package var record: UUID?
    /// The name of an author, as the history contains it.
    package var person: String?
    /// The first day, in UTC.
    package var from: CalendarDate?
    /// The last day, in UTC.
    package var to: CalendarDate?
    /// The position where the previous page ended: the number of a commit or, in a record's history, of a change.
    package var before: Int64?
    /// The series of commits that have an entry on an earlier page.
    package var series: [UUID] = []

    package init() {}

    /// Parses `model=`, `record=`, `person=`, `from=`, `to=`, `before=` and `series=`. Empty fields are ignored.
    ///
    /// - Throws: ``ActivityQueryError`` for an invalid value.
    package init(_ fields: [FormField]) throws(ActivityQueryError) {
        func text(_ name: String) -> String? {
            fields.value(name).flatMap { $0.isBlank ? nil : $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        }
        func read<Value>(_ name: String, _ make: (String) -> Value?) throws(ActivityQueryError) -> Value? {
            guard let text = text(name) else { return nil }
            guard let value = make(text) else { throw ActivityQueryError(name: name) }
            return value
        }
        model = text("model")
        person = text("person")
        record = try read("record") { UUID(canonicalText: $0) }
        from = try read("from") { CalendarDate($0) }
        to = try read("to") { CalendarDate($0) }
        before = try read("before") { Int64($0) }
        series =
            try read("series") { text -> [UUID]? in
                let ids = text.split(separator: ",").map { UUID(canonicalText: $0) }
                return ids.contains(nil) ? nil : ids.compactMap(\.self)
            } ?? []
        guard record == nil || model != nil else { throw ActivityQueryError(name: "record") }
    }

    /// The query string that leads to this page again.
    package var text: String {
        let fields: [(String, String?)] = [
            ("model", model), ("record", record?.canonicalText), ("person", person), ("from", from?.description),
            ("to", to?.description), ("before", before.map { String($0) }),
            ("series", series.isEmpty ? nil : series.map(\.canonicalText).joined(separator: ",")),
        ]
        return FormEncoding.encode(fields.compactMap { name, value in value.map { FormField(name: name, value: $0) } })
    }

    /// The range from the start of the first day to the end of the last one; empty if they are in the wrong order.
    var time: Range<Date>? {
        guard from != nil || to != nil else { return nil }
        let start = from?.start ?? .distantPast
        let end = to?.start.addingTimeInterval(86_400) ?? .distantFuture
        return start..<max(start, end)
    }

    /// Indicates whether the last day is before the first, so that nothing can match.
    var isReversedRange: Bool {
        guard let from, let to else { return false }
        return to < from
    }

    /// The query with the two days swapped.
    var swapped: ActivityQuery { with { ($0.from, $0.to) = (to, from) } }

    package var isFiltered: Bool { model != nil || record != nil || person != nil || from != nil || to != nil }

    func with(_ change: (inout ActivityQuery) -> Void) -> ActivityQuery {
        var copy = self
        copy.before = nil
        copy.series = []
        change(&copy)
        return copy
    }
}

/// The error for an address that specifies an impossible part.
package struct ActivityQueryError: Error, Sendable, Hashable {
    /// The name of the invalid field.
    package let name: String
}

extension CalendarDate {
    /// The start of the day in UTC.
    fileprivate var start: Date { Date(rfc3339: description + "T00:00Z") ?? .distantPast }
}
