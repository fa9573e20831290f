/// An enum whose cases an editor picks from: stored as its raw value, shown in words.
///
/// ```swift
/// enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }
/// ```
public protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, StoredValue where RawValue == String {}

extension Choice {
    public static var propertyType: PropertyType {
        .choice(allCases.map(\.rawValue))
    }

    public init(fieldValue: FieldValue) throws(FieldValueError) {
        guard case .text(let raw) = fieldValue else { throw .typeMismatch(expected: "a choice") }
        guard let value = Self(rawValue: raw) else { throw .unknownChoice }
        self = value
    }

    public var fieldValue: FieldValue { .text(rawValue) }
}
