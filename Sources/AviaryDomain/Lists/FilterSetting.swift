/// What somebody narrows a list to by one property: any of the values, or a range, or no value at all.
package struct FilterSetting: Sendable, Hashable {
    package let property: String
    /// Any of these.
    package var values: [FieldValue]
    /// Included, as is ``upper``. Of an instant it may be a day.
    package var lower: FieldValue?
    package var upper: FieldValue?
    /// Whether records without a value are meant, too (true), or none of them (false).
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

    /// Whether it leaves all records in.
    package var isUnset: Bool { values.isEmpty && lower == nil && upper == nil && isEmpty == nil }
}
