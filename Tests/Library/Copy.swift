import Aviary

@Model
struct Copy {
    enum Condition: String, Choice { case new, good, worn, damaged }

    #Unique<Copy>([\.book, \.number])

    @Attribute(.unique, .required, .pattern("[A-Z]{3}-[0-9]{3}", hint: "a shelfmark such as AUS-001")) var shelfmark:
        String
    var book: Reference<Book>
    @Attribute(.range(1...)) var number: UInt16 = 1
    var condition: Condition = .new
    var acquired: CalendarDate = .today
    @Relationship(deleteRule: .cascade, inverse: \Loan.copy) var loans: Related<Loan>
}
