package import AviaryDomain
package import Foundation

/// What of the activity the address asks for.
package struct ActivityQuery: Sendable, Hashable {
    /// The slug of a model.
    package var model: String?
    package var record: UUID?
    /// Somebody's name, as the history has it.
    package var person: String?
    /// The first and the last day, in UTC.
    package var from: CalendarDate?
    package var to: CalendarDate?
    /// Where the page before ended: a commit's number; in a record's history a change's.
    package var before: Int64?

    package init() {}

    /// Reads `model=`, `record=`, `person=`, `from=`, `to=` and `before=`. What is empty is as if it were not there.
    ///
    /// - Throws: ``ActivityQueryError`` for what is none of these.
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
        guard record == nil || model != nil else { throw ActivityQueryError(name: "record") }
    }

    /// The query string that leads here again.
    package var text: String {
        let fields: [(String, String?)] = [
            ("model", model), ("record", record?.canonicalText), ("person", person), ("from", from?.description),
            ("to", to?.description), ("before", before.map { String($0) }),
        ]
        return FormEncoding.encode(fields.compactMap { name, value in value.map { FormField(name: name, value: $0) } })
    }

    /// From the beginning of the first day to the end of the last one; empty when they are in the wrong order.
    var time: Range<Date>? {
        guard from != nil || to != nil else { return nil }
        let start = from?.start ?? .distantPast
        let end = to?.start.addingTimeInterval(86_400) ?? .distantFuture
        return start..<max(start, end)
    }

    /// Whether its last day comes before its first: nothing was on such days.
    var isUpsideDown: Bool {
        guard let from, let to else { return false }
        return to < from
    }

    /// The days in their order.
    var swapped: ActivityQuery { with { ($0.from, $0.to) = (to, from) } }

    var isNarrowed: Bool { model != nil || record != nil || person != nil || from != nil || to != nil }

    func with(_ change: (inout ActivityQuery) -> Void) -> ActivityQuery {
        var copy = self
        copy.before = nil
        change(&copy)
        return copy
    }
}

/// An address that asks for nothing that there could be.
package struct ActivityQueryError: Error, Sendable, Hashable {
    /// The field that is wrong.
    package let name: String
}

extension CalendarDate {
    /// In UTC.
    fileprivate var start: Date { Date(rfc3339: description + "T00:00Z") ?? .distantPast }
}
