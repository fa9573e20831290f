import AviaryDomain
import Foundation

// How `aviary_change` keeps fields: `{"name":"Kea"}` of a record that began or ended, `{"name":["Kea","Kiwi"]}` of an
// update, `{"authors":"…"}` of a link, `{"key":{}}` of what is secret. It stands for itself, so that entries can be read when models
// have changed since: a number with a point or an exponent is a real, and a list with one text in base64 is a blob.
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
    /// Instead of a value: that there is one.
    mutating func secret() { raw("{}") }
}

extension JSONReader {
    fileprivate mutating func fieldValue() throws -> FieldValue {
        let value = try value()
        guard let fieldValue = FieldValue(value) else { throw JSONError.otherType(expected: .storedValue) }
        return fieldValue
    }

    /// The fields of a change of the kind.
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
