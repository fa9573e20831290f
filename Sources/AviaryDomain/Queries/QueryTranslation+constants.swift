import Foundation

extension QueryTranslation {
    /// The value as it would be stored.
    func constant(_ value: Any) throws(QueryError) -> FieldValue {
        if let value = value as? any CapturedIdentity { return value.capturedValue }
        guard let value = value as? any StoredValue else {
            throw error(
                "A value of type \(type(of: value))",
                "is no stored value. Compare properties with values of their own types.")
        }
        let fieldValue = value.fieldValue
        switch fieldValue {
        case .null where !isNil(value): throw unstorable(value)
        case .real(let number) where number.isNaN:
            throw error("A number that is not a number", "equals nothing. Check the value before it is asked for.")
        case .null: return .null
        default:
            // What cannot be stored is given as a value of another kind.
            guard fieldValue.fits(type(of: value).propertyType.storage) else { throw unstorable(value) }
            if (value as? URL)?.baseURL != nil {
                throw error("An address that is relative to another", "is not stored so. Compare with its absoluteURL.")
            }
            return fieldValue
        }
    }

    private func unstorable(_ value: Any) -> QueryError {
        error(
            "A value of type \(type(of: value))",
            "cannot be stored, so nothing can be compared with it. A date has a year from 0 to 9999, and an integer 64 bits with a sign."
        )
    }

    func expression(ofConstant value: Any) throws(QueryError) -> QueryExpression {
        guard let number = value as? any DecimalValue else { return .constant(try constant(value)) }
        return number.exactNumber.map(QueryExpression.decimal) ?? .nil
    }

    func constants(_ values: Any) throws(QueryError) -> [FieldValue] {
        var constants: [FieldValue] = []
        for value in try elements(values) { constants.append(try constant(value)) }
        return constants
    }

    /// Above any list that fits a question; a statement of the store takes a bounded number of values.
    private static let longestList = 100_000

    func elements(_ values: Any) throws(QueryError) -> [Any] {
        guard let sequence = values as? any Collection, !(values is String) else {
            throw error(
                "A search in a value of type \(type(of: values))",
                "is not known to the store. Search in an array or a set of values.")
        }
        guard sequence.count <= Self.longestList else {
            throw error(
                "A list of \(sequence.count) values",
                "is too long to be asked at once. Fetch by at most \(Self.longestList) at a time.")
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

extension FieldValue {
    fileprivate func fits(_ storage: PropertyType.Storage) -> Bool {
        switch (self, storage) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
        default: false
        }
    }
}
