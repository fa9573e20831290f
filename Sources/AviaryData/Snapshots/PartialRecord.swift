import AviaryDomain
import Foundation

/// A record while its line is being read.
struct PartialRecord {
    let tables: ModelTables
    var id: String?
    var version: Int64?
    private var table: ModelTable?
    private var values: Values?
    /// Where the values are, when they came before the model that tells their types.
    private var postponed: JSONReader?

    init(tables: ModelTables) {
        self.tables = tables
    }

    var isEmpty: Bool { id == nil && version == nil && table == nil && values == nil && postponed == nil }

    mutating func readModel(_ reader: inout JSONReader) throws {
        let name = try reader.text()
        guard let table = tables[name] else { throw SnapshotError(.unknownModel) }
        self.table = table
    }

    mutating func readValues(_ reader: inout JSONReader) throws {
        guard let table else {
            postponed = reader
            return try reader.skip()
        }
        values = try Self.values(of: table.model, &reader)
    }

    func complete() throws -> SnapshotRecord {
        guard let table, let id, id.isCanonicalUUID else {
            throw SnapshotError(.malformedRecord("it has no model, or no id that is a canonical UUID."))
        }
        guard let version, version > 0 else { throw SnapshotError(.malformedRecord("it has no version.")) }
        var values = values
        if var postponed { values = try Self.values(of: table.model, &postponed) }
        guard let values else { throw SnapshotError(.malformedRecord("it has no values.")) }
        return SnapshotRecord(table: table, id: id, version: version, values: values.all, withheld: values.withheld)
    }

    private struct Values {
        let all: [FieldValue]
        let withheld: [Int]
    }

    private static func values(of model: ModelSchema, _ reader: inout JSONReader) throws -> Values {
        let properties = model.storedProperties
        var values = [FieldValue?](repeating: nil, count: properties.count)
        var expected = 0
        try reader.object { name, reader in
            // They are written in column order; looking up each by name would take longer than reading it.
            let isExpected = expected < properties.count && properties[expected].name == name
            guard let index = isExpected ? expected : model.storedIndex(of: name) else {
                throw SnapshotError(.malformedRecord("\(model.name) stores no property of a name that is in it."))
            }
            values[index] = try properties[index].value(&reader, of: model)
            expected = index + 1
        }
        var withheld: [Int] = []
        let all = try zip(properties, values).enumerated().map { index, pair in
            let (property, value) = pair
            if let value { return value }
            guard property.isSecret, model.snapshotContent != .everything else {
                throw SnapshotError(.invalid(model: model.name, property: property.name, "The value is missing."))
            }
            withheld.append(index)
            return property.isOptional ? .null : property.type.emptyValue ?? .null
        }
        return Values(all: all, withheld: withheld)
    }
}

extension String {
    /// Looks at the bytes in place: this is asked of every record.
    fileprivate var isCanonicalUUID: Bool {
        var text = self
        return text.withUTF8 { UUID(canonicalUTF8: $0) != nil }
    }
}

extension PropertySchema {
    fileprivate func value(_ reader: inout JSONReader, of model: ModelSchema) throws -> FieldValue {
        if try reader.start() == UInt8(ascii: "n") {
            try reader.literal("null")
            return .null
        }
        do {
            switch type.storage {
            case .integer where type == .boolean: return .integer(try reader.boolean() ? 1 : 0)
            case .integer, .real:
                switch (try reader.number(), type.storage) {
                case (.integer(let number), .integer): return .integer(number)
                case (.integer(let number), _): return .real(Double(number))
                case (.real(let number), .real): return .real(number)
                case (.real, _): throw JSONError.otherType(expected: "a whole number")
                }
            case .text: return .text(try reader.text())
            case .blob:
                guard let data = Data(base64Encoded: try reader.text()) else {
                    throw JSONError.otherType(expected: "bytes in Base64")
                }
                return .blob([UInt8](data))
            }
        } catch JSONError.otherType(let expected) {
            throw SnapshotError(.invalid(model: model.name, property: name, "The value is not \(expected)."))
        }
    }
}
