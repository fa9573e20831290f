import Aviary

/// The zoo's friend, whose name may have to stand once only.
struct Friend: Model {
    var id = RecordID<Friend>()
    var name = ""
    var birthday = CalendarDate.today

    static let schema = ModelSchema(
        Self.self,
        [
            PropertyDefinition(
                \Self.name, "name", attributes: Growth.own.hasUniqueFriends ? [.unique, .required] : [.required]),
            PropertyDefinition(\Self.birthday, "birthday", default: { .today }),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        birthday = try reader.next("birthday")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(birthday)
    }
}
