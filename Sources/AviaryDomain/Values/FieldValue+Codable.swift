import Foundation

// JSON has one kind of number, so a real is tagged; a blob travels as base64.
extension FieldValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case real, blob
    }

    public init(from decoder: any Decoder) throws {
        // not an object: a bare value, read below
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            if let real = try container.decodeIfPresent(Double.self, forKey: .real) {
                self = .real(real)
            } else {
                let data = try container.decode(Data.self, forKey: .blob)
                self = .blob([UInt8](data))
            }
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {  // not a text: then it must be an integer
            self = .text(text)
        } else {
            self = .integer(try container.decode(Int64.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .real(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .real)
        case .blob(let value):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Data(value), forKey: .blob)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .integer(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .text(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}
