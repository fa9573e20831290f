import ArgumentParser
import Aviary

/// A program that has nothing of the zoo: other kinds of fields, other rules, relations of every shape.
@main
struct Library: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Book.self)
            .columns(\.title, \.authors, \.genre, \.year, \.price)
            .search(\.title, \.summary)
            .filters(\.genre, \.audience)
        ModelAdmin(Author.self).columns(\.name, \.born, \.died)
        ModelAdmin(Genre.self).columns(\.name, \.parent)
        ModelAdmin(Copy.self).columns(\.shelfmark, \.book, \.number, \.condition)
        ModelAdmin(Loan.self).columns(\.borrowed, \.copy, \.member, \.due, \.returned).column(\.isOverdue, "Overdue")
        ModelAdmin(Member.self).columns(\.name, \.card, \.joined)
    }

    static var commands: [any ParsableCommand.Type] { [FillCommand.self] }
}
