import Foundation

/// The translation of a predicate into a ``QueryExpression``. It throws an error for a part that the store cannot
/// evaluate.
struct QueryTranslation {
    let model: ModelSchema
    private var variables: [PredicateExpressions.VariableID: QueryTerm] = [:]
    /// The expressions that earlier conditions have tested for a value.
    private var present: Set<QueryExpression> = []

    /// Translates a predicate.
    ///
    /// - Throws: ``QueryError``.
    static func expression<M: Model>(of predicate: Predicate<M>) throws(QueryError) -> QueryExpression {
        var translation = QueryTranslation(model: M.schema)
        translation.variables[predicate.variable.key] = .record
        return try translation.expression(of: predicate.expression)
    }

    private init(model: ModelSchema) {
        self.model = model
    }

    mutating func term(of part: any PredicateExpression) throws(QueryError) -> QueryTerm {
        guard let node = part as? any QueryNode else { throw unsupported(part) }
        return try node.term(in: &self)
    }

    mutating func expression(of part: any PredicateExpression) throws(QueryError) -> QueryExpression {
        switch try term(of: part) {
        case .expression(let expression): return expression
        case .captured(let value): return try expression(ofConstant: value)
        case .record:
            throw error("The record itself", "is no value to compare. Compare its id: `$0.id == other.id`.")
        case .range:
            throw error("A range", "is no value to compare. Ask whether it contains one: `(1...9).contains($0.age)`.")
        }
    }

    func term(of variable: PredicateExpressions.VariableID) throws(QueryError) -> QueryTerm {
        guard let term = variables[variable] else {
            throw error("A variable", "belongs to another predicate. Use the predicate's own parameter.")
        }
        return term
    }

    mutating func expression(
        of part: any PredicateExpression, binding variable: PredicateExpressions.VariableID, to term: QueryTerm
    ) throws(QueryError) -> QueryExpression {
        let outer = variables[variable]
        variables[variable] = term
        defer { variables[variable] = outer }
        return try expression(of: part)
    }

    /// Translates a part of a predicate under the assumption that some expressions are not nil.
    mutating func expression(
        of part: any PredicateExpression, where present: Set<QueryExpression>
    ) throws(QueryError) -> QueryExpression {
        let outer = self.present
        self.present.formUnion(present)
        defer { self.present = outer }
        return try expression(of: part)
    }

    func isPresent(_ expression: QueryExpression) -> Bool {
        if case .constant(let value) = expression { return !value.isNull }
        return present.contains(expression)
    }

    func error(_ expression: String, _ advice: String) -> QueryError {
        QueryError(model: model.name, expression: expression, advice: advice)
    }

    private func unsupported(_ part: any PredicateExpression) -> QueryError {
        // Leave out the generic arguments, which can be very long.
        let name = String(describing: type(of: part)).prefix { $0 != "<" }
        return error(
            "The expression \(name)",
            "is not known to the store. Fetch by what can be asked, and filter the result in memory with `evaluate(_:)`."
        )
    }
}

/// The meaning of a part of a predicate.
enum QueryTerm {
    /// The record itself.
    case record
    case expression(QueryExpression)
    /// A value that the predicate captured. It is not yet converted to a stored value, because it may be a list or
    /// have properties of its own.
    case captured(Any)
    case range(QueryRange)
}

/// A range in a predicate. A missing bound is nil.
struct QueryRange {
    var lower: QueryExpression?
    var upper: QueryExpression?
    var includesUpper = false
    /// Indicates whether the predicate creates the range, so that its bounds may be in the wrong order.
    var isMade = false
}

/// A part of a predicate that the store can evaluate.
///
/// Foundation has one type for each kind of part. The translation rejects types that do not conform.
protocol QueryNode {
    func term(in translation: inout QueryTranslation) throws(QueryError) -> QueryTerm
}

// When the stored values do not compare as the Swift type does, this code translates the comparison or rejects it.
extension QueryTranslation {
    func equality(_ left: QueryExpression, _ right: QueryExpression, of type: Any.Type) throws(QueryError)
        -> QueryExpression
    {
        // A comparison with nil is possible for every type.
        if left == .nil || right == .nil { return .equal(left, right) }
        let type = unwrapped(type)
        if type is Decimal.Type {
            guard let pair = try alignedDecimals(left, right) else { return .false }
            return .equal(pair.left, pair.right)
        }
        try checkEquality(of: type)
        return .equal(left, right)
    }

    func order(
        _ ordering: QueryExpression.Ordering, _ left: QueryExpression, _ right: QueryExpression, of type: Any.Type
    ) throws(QueryError) -> QueryExpression {
        if type is Decimal.Type { return try decimalOrder(ordering, left, right) }
        return .ordered(ordering, try ordered(left, as: type), try ordered(right, as: type))
    }

    func membership(_ value: QueryExpression, in list: Any, of type: Any.Type) throws(QueryError) -> QueryExpression {
        let type = unwrapped(type)
        if type is Decimal.Type { return try decimalMembership(value, in: list) }
        try checkEquality(of: type)
        return .isMember(value, of: try constants(list))
    }

    private func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }

    /// Checks that values of the type are equal exactly when their stored values are.
    ///
    /// A struct defines its own equality, and JSON has several notations for a number.
    private func checkEquality(of type: Any.Type) throws(QueryError) {
        guard let stored = type as? any StoredValue.Type else {
            // Ids can be compared although they are not stored values.
            if type is any IdentityType.Type { return }
            throw error(
                "A comparison of \(type)",
                "is not known to the store. Compare the properties that are in it, or filter the result in memory.")
        }
        guard stored.propertyType.isEqualAsStored else {
            throw error(
                "A comparison of \(type)",
                "is not known to the store, which keeps it as JSON. Compare the properties that are in it, ask whether it is nil, or filter the result in memory."
            )
        }
    }
}

extension PropertyType {
    /// Indicates whether values are equal exactly when their stored values are.
    fileprivate var isEqualAsStored: Bool {
        switch self {
        case .json, .toMany: false
        case .array(let element): element.isExactInJSON
        default: true
        }
    }

    /// Indicates whether equal values have equal texts in JSON.
    var isExactInJSON: Bool {
        switch self {
        case .string, .boolean, .integer, .sizedInteger, .date, .calendarDate, .choice, .integerChoice, .url: true
        case .double, .float, .decimal, .uuid, .data, .json, .array, .toOne, .toMany: false
        }
    }
}

private protocol IdentityType {}
extension RecordID: IdentityType {}

extension QueryTranslation {
    /// Returns the value in its stored form.
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
            // A value that cannot be stored is represented by a value of another storage class.
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

    /// The largest number of values in a list, above any practical list. SQLite limits the number of values in a
    /// statement.
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

/// An id, which is stored but is not a property.
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
