import AviaryData
import AviaryDomain

struct Member: Model {
    var id = RecordID<Member>()
    var name: String
    var loans = Related<Loan>()

    static let schema = ModelSchema(
        Member.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.required, .length(1...80)]),
            PropertyDefinition(\.loans, "loans", relationship: RelationshipOptions(inverse: \Loan.member)),
        ],
        indexes: [[\.name]]
    )

    init(name: String) { self.name = name }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        loans = try reader.next("loans")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(loans)
    }
}

struct Loan: Model {
    var id = RecordID<Loan>()
    var member: Reference<Member>
    var began: CalendarDate
    var returned: CalendarDate?
    var renewals = 0

    static let schema = ModelSchema(
        Loan.self,
        [
            PropertyDefinition(\.member, "member"),
            PropertyDefinition(\.began, "began"),
            PropertyDefinition(\.returned, "returned"),
            PropertyDefinition(\.renewals, "renewals", default: { 0 }, attributes: [.range(0...)]),
        ],
        uniqueConstraints: [[\.member, \.began]]
    )

    init(member: Member, began: CalendarDate) {
        self.member = Reference(member)
        self.began = began
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        member = try reader.next("member")
        began = try reader.next("began")
        returned = try reader.next("returned")
        renewals = try reader.next("renewals")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(member)
        writer.bind(began)
        writer.bind(returned)
        writer.bind(renewals)
    }

    func validate() -> [FieldProblem] {
        guard let returned, returned < began else { return [] }
        return [FieldProblem(\Loan.returned, "Choose a day on which the loan had begun.")]
    }
}
