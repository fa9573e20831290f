import AviaryDomain
import Foundation

// The format of the fields in `aviary_change`: `{"name":"Kea"}` for an inserted or deleted record,
// `{"name":["Kea","Kiwi"]}` for an update, `{"authors":"…"}` for a link, `{"key":{}}` for a secret. It is
// self-describing, so that entries can be read after the models have changed: a number with a point or an exponent
// is a real, and a list with one base64 text is a blob.
extension JSONWriter {
    mutating func value(_ value: FieldValue) {
        switch value {
        case .null: raw("null")
        case .integer(let number): integer(number)
        case .real(let number): real(number)
        case .text(let text): self.text(text)
        case .blob(let bytes):
            raw("[")
            text(Data(bytes).base64EncodedString())
            raw("]")
        }
    }
}

extension JSONWriter {
    /// Writes the placeholder of a secret value.
    mutating func secret() { raw("{}") }
}

extension JSONReader {
    fileprivate mutating func fieldValue() throws -> FieldValue {
        let value = try value()
        guard let fieldValue = FieldValue(value) else { throw JSONError.otherType(expected: .storedValue) }
        return fieldValue
    }

    /// Reads the fields of a change of the kind.
    mutating func fieldChanges(_ kind: RecordChange.Kind) throws -> [String: FieldChange] {
        var fields: [String: FieldChange] = [:]
        try object { name, reader in
            if try reader.start() == UInt8(ascii: "{") {
                try reader.skip()
                fields[name] = .secret
                return
            }
            switch kind {
            case .insert, .link: fields[name] = FieldChange(before: .null, after: try reader.fieldValue())
            case .delete, .unlink: fields[name] = FieldChange(before: try reader.fieldValue(), after: .null)
            case .update:
                var values: [FieldValue] = []
                try reader.array { values.append(try $0.fieldValue()) }
                guard values.count == 2 else { throw JSONError.otherType(expected: .twoValues) }
                fields[name] = FieldChange(before: values[0], after: values[1])
            }
        }
        try finish()
        return fields
    }
}

extension FieldValue {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .number(.integer(let number)): self = .integer(number)
        case .number(.real(let number)): self = .real(number)
        case .text(let text): self = .text(text)
        case .list(let elements):
            guard elements.count == 1, let text = elements.first?.text, let data = Data(base64Encoded: text) else {
                return nil
            }
            self = .blob([UInt8](data))
        case .boolean, .object: return nil
        }
    }
}
