import Foundation

extension JSONText {
    /// Whether it is one JSON value and nothing else.
    static func isJSON(_ text: String) -> Bool {
        // Only whether: a property of a Swift type says what is wrong.
        (try? decode(AnyJSON.self, text)) != nil
    }

    /// The first key or element that stands in one and not in the other, which a program wrote from it: what it did not
    /// know. Null is as good as nothing.
    static func unknownPart(of text: String, comparedWith written: String) -> String? {
        guard let text = try? decode(AnyJSON.self, text), let written = try? decode(AnyJSON.self, written) else { return nil }
        return text.unknownPart(comparedWith: written, at: "")
    }
}

/// JSON of which only the shape counts.
private enum AnyJSON: Decodable {
    case null
    case leaf
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        // One of them fits, or it is no JSON; what the others say is of no use.
        if let object = try? [String: AnyJSON](from: decoder) {
            self = .object(object)
        } else if let array = try? [AnyJSON](from: decoder) {
            self = .array(array)
        } else {
            let container = try decoder.singleValueContainer()
            self = container.decodeNil() ? .null : .leaf
        }
    }

    func unknownPart(comparedWith written: AnyJSON, at path: String) -> String? {
        switch (self, written) {
        case (.object(let object), .object(let known)):
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                let path = path.isEmpty ? key : "\(path).\(key)"
                guard let counterpart = known[key] else {
                    if case .null = value { continue }
                    return path
                }
                if let part = value.unknownPart(comparedWith: counterpart, at: path) { return part }
            }
            return nil
        case (.array(let array), .array(let known)) where array.count == known.count:
            for (index, (value, counterpart)) in zip(array, known).enumerated() {
                if let part = value.unknownPart(comparedWith: counterpart, at: "\(path)[\(index)]") { return part }
            }
            return nil
        default: return nil
        }
    }
}
