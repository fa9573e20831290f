import Aviary
import Foundation

@Model
struct Book {
    enum Audience: Int, Choice { case children = 6, youth = 12, adults = 18 }

    #Unique<Book>([\.title, \.year])
    #Index<Book>([\.genre, \.title])

    @Attribute(.required, .length(1...200), .fullText) var title: String
    @Relationship(minimumModelCount: 1, maximumModelCount: 4, inverse: \Author.books) var authors: Related<Author>
    @Attribute(.range(1450...2100)) var year: Int16?
    @Attribute(.unique, .pattern("97[89]-[0-9]{10}", hint: "13 digits, such as 978-0141439518")) var isbn: String?
    var genre: Reference<Genre>?
    var audience: Audience = .adults
    var languages: [String] = ["English"]
    @Attribute(.scale(2), .range(0...)) var price: Decimal?
    @Attribute(.fullText, .length(...4000)) var summary: String = ""
    var online: URL?
    var isReference: Bool = false
    var prequel: Reference<Book>?
    @Relationship(inverse: \Book.prequel) var sequels: Related<Book>
    @Relationship(deleteRule: .cascade, inverse: \Copy.book) var copies: Related<Copy>

    func validate() -> [FieldProblem] {
        guard prequel?.id == id else { return [] }
        return [FieldProblem(\Book.prequel, "Choose another book: none is its own sequel.")]
    }
}

@Model
struct Author {
    @Attribute(.required, .length(...120), .indexed) var name: String
    var born: CalendarDate?
    var died: CalendarDate?
    var website: URL?
    // An author of a book stays: the book asks for one at least.
    @Relationship var books: Related<Book>

    func validate() -> [FieldProblem] {
        guard let born, let died, died < born else { return [] }
        return [FieldProblem(\Author.died, "Choose a day after the birth.")]
    }
}

@Model
struct Genre {
    @Attribute(.unique, .required, .length(...60)) var name: String
    var parent: Reference<Genre>?
    @Relationship(deleteRule: .deny, inverse: \Genre.parent) var children: Related<Genre>
    @Relationship(inverse: \Book.genre) var books: Related<Book>
}

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

@Model
struct Loan {
    // Nobody borrows a copy twice on a day.
    #Unique<Loan>([\.copy, \.borrowed])
    #Index<Loan>([\.member, \.due])

    var copy: Reference<Copy>
    var member: Reference<Member>
    var borrowed: CalendarDate = .today
    @Attribute(.indexed) var due: CalendarDate
    var returned: CalendarDate?
    @Attribute(.scale(2), .range(0...)) var fine: Decimal = 0
    var remindedAt: Date?

    var isOverdue: Bool { returned == nil && due < .today }

    func validate() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if due < borrowed { problems.append(FieldProblem(\Loan.due, "Choose a day after the loan began.")) }
        if let returned, returned < borrowed {
            problems.append(FieldProblem(\Loan.returned, "Choose a day after the loan began."))
        }
        return problems
    }
}

@Model
struct Member {
    @Attribute(.required, .length(...120)) var name: String
    @Attribute(.unique, .required, .pattern("M-[0-9]{4}", hint: "a card number such as M-0042")) var card: String
    @Attribute(.secret, .length(4...12)) var pin: String?
    var address: Address?
    var joined: CalendarDate = .today
    var lastVisit: Date?
    @Relationship(deleteRule: .deny, inverse: \Loan.member) var loans: Related<Loan>
}

@Embedded
struct Address {
    var street: String
    var town: String
    var postcode: String?
}
