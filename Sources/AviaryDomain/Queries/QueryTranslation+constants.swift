import Foundation

extension QueryTranslation {
    /// The value as it would be stored.
    func constant(_ value: Any) throws(QueryError) -> FieldValue {
        if let value = value as? any CapturedIdentity { return value.capturedValue }
        guard let value = value as? any StoredValue else {
            throw error("A value of type \(type(of: value))", "is no stored value. Compare properties with values of their own types.")
        }
        switch value.fieldValue {
        case .null where !isNil(value):
            throw error("A value of type \(type(of: value))", "cannot be stored, so nothing can be compared with it. A date has a year from 0 to 9999.")
        case .real(let number) where number.isNaN:
            throw error("A number that is not a number", "equals nothing. Check the value before it is asked for.")
        case let fieldValue: return fieldValue
        }
    }

    func constants(_ values: Any) throws(QueryError) -> [FieldValue] {
        var constants: [FieldValue] = []
        for value in try elements(values) { constants.append(try constant(value)) }
        return constants
    }

    /// Above any list that a person wrote; an engine takes a bounded number of values.
    private static let longestList = 10_000

    func elements(_ values: Any) throws(QueryError) -> [Any] {
        guard let sequence = values as? any Collection, !(values is String) else {
            throw error("A search in a value of type \(type(of: values))", "is not known to the store. Search in an array or a set of values.")
        }
        guard sequence.count <= Self.longestList else {
            throw error("A list of \(sequence.count) values", "is too long to be asked at once. Fetch by at most \(Self.longestList) at a time.")
        }
        return sequence.map { $0 as Any }
    }

    private func isNil(_ value: any StoredValue) -> Bool {
        (value as? any OptionalValue)?.isNil ?? false
    }
}

/// An id, which is stored but is no property.
private protocol CapturedIdentity {
    var capturedValue: FieldValue { get }
}

extension RecordID: CapturedIdentity {
    fileprivate var capturedValue: FieldValue { uuid.fieldValue }
}

private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}

extension Optional: CapturedIdentity where Wrapped: CapturedIdentity {
    fileprivate var capturedValue: FieldValue { self?.capturedValue ?? .null }
}
