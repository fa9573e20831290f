@testable import AviaryDomain

/// Only for the type of its key path: values are given by name.
struct Sample: Model {
    var id = RecordID<Sample>()
    var text = ""
    static let schema = ModelSchema(Sample.self, [.init(\.text, "text")])
    init(from reader: inout FieldReader) throws {}
    func bind(to writer: inout FieldWriter) {}
}

extension PropertySchema {
    static func made(_ name: String, _ type: PropertyType, optional: Bool = false) -> PropertySchema {
        let keyPath: any KeyPath<Sample, String> & Sendable = \Sample.text
        return PropertySchema(
            name: name, type: type, isOptional: optional, attributes: [], keyPath: keyPath, relationship: nil,
            makeDefault: nil
        )
    }
}

extension Schema {
    static func animals(_ properties: PropertySchema...) throws -> Schema {
        try Schema([ModelSchema(name: "Animal", properties: properties)])
    }
}
