import AviaryData
import AviaryDomain

/// A model with secrets: one that may be missing, one that must be there.
struct Supplier: Model {
    var id = RecordID<Supplier>()
    var name: String
    var accessKey: String?
    var pin: String

    static let schema = ModelSchema(
        Supplier.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.unique, .required]),
            PropertyDefinition(\.accessKey, "accessKey", attributes: [.secret, .unique]),
            PropertyDefinition(\.pin, "pin", attributes: [.secret]),
        ]
    )

    init(_ name: String, accessKey: String? = nil, pin: String = "") {
        self.name = name
        self.accessKey = accessKey
        self.pin = pin
    }

    init(from reader: inout FieldReader) throws {
        name = try reader.next("name")
        accessKey = try reader.next("accessKey")
        pin = try reader.next("pin")
        id = try reader.next("id")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(accessKey)
        writer.bind(pin)
    }
}
