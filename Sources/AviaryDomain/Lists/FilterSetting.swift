/// The filter that a user sets for one property: any of several values, a range, or no value.
package struct FilterSetting: Sendable, Hashable {
    package let property: String
    /// Any of these.
    package var values: [FieldValue]
    /// The lower bound, which is included, as is ``upper``. The bound of a point in time may be a day.
    package var lower: FieldValue?
    package var upper: FieldValue?
    /// A Boolean value that indicates whether the filter also includes records without a value (true) or excludes them
    /// (false); nil without such a condition.
    package var isEmpty: Bool?

    package init(
        _ property: String, values: [FieldValue] = [], lower: FieldValue? = nil, upper: FieldValue? = nil,
        isEmpty: Bool? = nil
    ) {
        self.property = property
        self.values = values
        self.lower = lower
        self.upper = upper
        self.isEmpty = isEmpty
    }

    /// A Boolean value that indicates whether the filter includes all records.
    package var isUnset: Bool { values.isEmpty && lower == nil && upper == nil && isEmpty == nil }
}
