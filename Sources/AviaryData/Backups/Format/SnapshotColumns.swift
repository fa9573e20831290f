import AviaryDomain
import Foundation

/// The conversion of the values of a model's records.
///
/// Everything that is the same for each record is computed once.
final class SnapshotColumns: Sendable {
    struct Column: Sendable {
        let name: String
        let kind: Kind
        /// The value that replaces a secret that is not in the snapshot; nil if the value is required.
        let absent: FieldValue?
    }

    enum Kind: Sendable {
        case boolean, integer, real, text, blob
    }

    let table: ModelTable
    let columns: [Column]

    static func all(of tables: ModelTables) -> [String: SnapshotColumns] {
        Dictionary(tables.all.map { ($0.model.name, SnapshotColumns($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ table: ModelTable) {
        self.table = table
        let mayBeAbsent = table.model.snapshotContent != .everything
        columns = table.model.storedProperties.map { property in
            let kind: Kind =
                switch property.type.storage {
                case .integer: property.type == .boolean ? .boolean : .integer
                case .real: .real
                case .text: .text
                case .blob: .blob
                }
            let empty = property.isOptional ? .null : property.type.emptyValue ?? .null
            return Column(name: property.name, kind: kind, absent: mayBeAbsent && property.isSecret ? empty : nil)
        }
    }

    /// Returns the values in column order and the indexes of those that are absent.
    ///
    /// - Throws: ``SnapshotError``, ``JSONError``.
    func values(_ reader: inout JSONReader) throws -> (all: [FieldValue], withheld: [Int]) {
        var values = [FieldValue?](repeating: nil, count: columns.count)
        var expected = 0
        try reader.object { name, reader in
            // The writer writes them in column order. Looking up each name would take longer than reading it.
            let isExpected = expected < columns.count && columns[expected].name == name
            guard let index = isExpected ? expected : table.model.storedIndex(of: name) else {
                throw SnapshotError(
                    .malformedRecord(localized("unknown property of \(table.model.name).")))
            }
            values[index] = try value(columns[index], &reader)
            expected = index + 1
        }
        var all: [FieldValue] = [], withheld: [Int] = []
        all.reserveCapacity(columns.count)
        for (index, value) in values.enumerated() {
            if let value {
                all.append(value)
            } else if let absent = columns[index].absent {
                withheld.append(index)
                all.append(absent)
            } else {
                throw SnapshotError(
                    .invalid(model: table.model.name, property: columns[index].name, localized("The value is missing."))
                )
            }
        }
        return (all, withheld)
    }

    private func value(_ column: Column, _ reader: inout JSONReader) throws -> FieldValue {
        if try reader.start() == UInt8(ascii: "n") {
            try reader.literal("null")
            return .null
        }
        do {
            switch column.kind {
            case .boolean: return .integer(try reader.boolean() ? 1 : 0)
            case .integer:
                guard case .integer(let number) = try reader.number() else {
                    throw JSONError.otherType(expected: .wholeNumber)
                }
                return .integer(number)
            case .real:
                switch try reader.number() {
                case .integer(let number): return .real(Double(number))
                case .real(let number): return .real(number)
                }
            case .text: return .text(try reader.text())
            case .blob:
                guard let bytes = Data(base64Encoded: try reader.text()) else {
                    throw JSONError.otherType(expected: .bytes)
                }
                return .blob([UInt8](bytes))
            }
        } catch JSONError.otherType(let expected) {
            throw SnapshotError(
                .invalid(model: table.model.name, property: column.name, "\(JSONError.otherType(expected: expected))"))
        }
    }
}

extension Schema {
    /// The length of the longest line of a snapshot, in bytes.
    ///
    /// It is the largest record of any model before and after a change, with every byte escaped. Every record that
    /// a store holds can be read back, and no longer line takes up memory.
    var snapshotLineLimit: Int {
        2 * models.map(\.longestLine).reduce(LineReader.leastLimit / 2, max)
    }
}

extension ModelSchema {
    private static let lengthOfEscape = 6
    /// The length of the text around a value, and of the values that are not counted by themselves, in bytes.
    ///
    /// Numbers, dates and ids are shorter than this.
    private static let lengthOfOthers = 200

    fileprivate var longestLine: Int {
        storedProperties.reduce(Self.lengthOfOthers + name.utf8.count) { length, property in
            let value =
                switch property.type {
                case .string, .url, .json, .array: PropertySchema.longestText
                // The length of the Base64 text, rounded up.
                case .data: 2 * PropertyType.longestData
                case .choice(let choices): choices.map(\.utf8.count).max() ?? 0
                default: 0
                }
            return length + Self.lengthOfEscape * (property.name.utf8.count + value) + Self.lengthOfOthers
        }
    }
}
