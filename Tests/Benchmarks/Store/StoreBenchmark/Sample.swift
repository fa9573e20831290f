import AviaryDomain

/// The measured model: five columns, one of them unique.
struct Sample: Model {
    var id: RecordID<Sample>
    var code: String
    var name: String
    var amount: Int
    var weight: Double
    var taken: CalendarDate

    static let schema = ModelSchema(
        Sample.self,
        [
            .init(\.code, "code", attributes: [.unique, .required]),
            .init(\.name, "name", attributes: [.required]),
            .init(\.amount, "amount"),
            .init(\.weight, "weight"),
            .init(\.taken, "taken"),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        code = try reader.next("code")
        name = try reader.next("name")
        amount = try reader.next("amount")
        weight = try reader.next("weight")
        taken = try reader.next("taken")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(code)
        writer.bind(name)
        writer.bind(amount)
        writer.bind(weight)
        writer.bind(taken)
    }
}
