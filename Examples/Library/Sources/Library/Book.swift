import Aviary
import Foundation

/// A book, written by one author or several.
@Model
struct Book {
    enum Audience: String, Choice { case children, youth, adults }

    @Attribute(.required, .length(1...200), .fullText) var title: String
    // Many-to-many: this side names the other. The store rejects a book without an author.
    @Relationship(minimumModelCount: 1, inverse: \Author.books) var authors: Related<Author>
    @Attribute(.range(1450...2100)) var year: Int?
    @Attribute(.unique, .pattern("97[89]-[0-9]{10}", hint: "13 digits, such as 978-0141439518")) var isbn: String?
    var audience: Audience = .adults
    @Attribute(.scale(2), .range(0...)) var price: Decimal?
    // A book that was ever lent stays.
    @Relationship(deleteRule: .deny, inverse: \Loan.book) var loans: Related<Loan>
}

/// An author of books.
@Model
struct Author {
    @Attribute(.required, .length(...120), .indexed) var name: String
    var born: CalendarDate?
    @Relationship var books: Related<Book>
}

/// A loan of a book, from the day when it is borrowed to the day when it is returned.
@Model
struct Loan {
    // Nobody borrows a book twice on a day.
    #Unique<Loan>([\.book, \.borrower, \.borrowed])

    var book: Reference<Book>
    @Attribute(.required, .length(...120)) var borrower: String
    var borrowed: CalendarDate = .today
    @Attribute(.indexed) var due: CalendarDate
    var returned: CalendarDate?

    /// Indicates whether the book should be back and is not.
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
