import Aviary
import Foundation

/// The admin of a small library: books with their authors, and who has borrowed them.
struct Library: AviaryApp {
    /// Lends books, and has nothing to do with their prices.
    static let volunteer = Role(
        "volunteer", .allow(.view, .add, .edit, on: Loan.self), .allow(.view, on: Book.self),
        .allow(.view, on: Author.self), .hide(\Book.price))

    var admin: some Admin {
        ModelAdmin(Book.self)
            .columns(\.title, \.authors, \.year, \.price)
            .search(\.title)
            .filters(\.authors, \.audience, \.year)
            .format(\.price) { price in price.map { "£" + $0.formatted(.number.precision(.fractionLength(2))) } ?? "" }
            .label(\.isbn, "ISBN")
            .section("Publication", \.year, \.isbn, \.price)
        ModelAdmin(Author.self).columns(\.name, \.born)
        ModelAdmin(Loan.self)
            .columns(\.borrower, \.book, \.due, \.returned).column("Overdue", \.isOverdue)
            .filters(\.book, \.due)
            .ordering(\.due)
            .action("Take back") { loan in
                guard loan.returned == nil else { return }
                loan.returned = .today
            }
    }

    var roles: [Role] { [Self.volunteer] }

    /// The records with which `serve --demo` begins. They are linked, so they are changes.
    var sampleChanges: [Change] {
        let austen = Author(name: "Jane Austen", born: CalendarDate("1775-12-16"))
        let stevenson = Author(name: "Robert Louis Stevenson", born: CalendarDate("1850-11-13"))
        let osbourne = Author(name: "Lloyd Osbourne", born: CalendarDate("1868-04-07"))
        let emma = Book(title: "Emma", year: 1815, isbn: "978-0141439587", price: 8.5)
        let box = Book(title: "The Wrong Box", year: 1889)
        return [
            .insert(austen), .insert(stevenson), .insert(osbourne), .insert(emma), .insert(box),
            .link(emma, \.authors, austen), .link(box, \.authors, stevenson), .link(box, \.authors, osbourne),
            .insert(
                Loan(book: Reference(emma), borrower: "Grace Okafor", due: CalendarDate("2099-11-30") ?? .today)),
        ]
    }
}
