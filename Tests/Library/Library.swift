import ArgumentParser
import Aviary
import ComponentGallery
import Foundation

/// A program that has nothing of the zoo: other kinds of fields, other rules, relations of every shape.
@main
struct Library: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Book.self)
            .columns(\.title, \.authors, \.genre, \.year, \.price)
            .search(\.title, \.summary)
            .filters(\.genre, \.authors, \.audience, \.year, \.isReference, \.online)
            .format(\.price) { price in price.map { "£" + $0.formatted(.number.precision(.fractionLength(2))) } ?? "" }
            .label(\.isbn, "ISBN")
            .help(\.prequel, "The book that this one goes on from.")
            .widget(\.prequel, .search)
            .section("Publication", \.year, \.isbn, \.languages, \.price, \.online)
            .section("Lending", \.isReference, \.copies)
            .inline(\.copies, \.shelfmark, \.number, \.condition, \.acquired)
        ModelAdmin(Author.self).columns(\.name, \.born, \.died)
        ModelAdmin(Genre.self).columns(\.name, \.parent)
        ModelAdmin(Copy.self).columns(\.shelfmark, \.book, \.number, \.condition)
            .column("Age") { copy in localized("\(CalendarDate.today.year - copy.acquired.year) years") }
            .search(\.shelfmark).filters(\.condition, \.acquired, \.book).ordering(\.number, order: .reverse)
            .action("Mark as worn") { $0.condition = .worn }
            .action("Withdraw", requires: .delete) { ids, _ in ids.map { .delete($0) } }
        AdminGroup("Lending") {
            ModelAdmin(Loan.self)
                .columns(\.borrowed, \.copy, \.member, \.due, \.returned).column("Overdue", \.isOverdue)
                .computed(\.isOverdue, "Overdue")
            ModelAdmin(Member.self).columns(\.name, \.card, \.joined)
                .label(\.pin, "PIN").section("Card", \.card, \.pin, \.joined)
        }
    }

    var roles: [Role] {
        [
            // Helps out with the books, and has nothing to do with money and condition.
            Role(
                "volunteer", .allow(.view, .add, .edit, .delete, on: Book.self), .allow(.view, on: Genre.self),
                .allow(.view, .add, .edit, on: Copy.self), .task(.activity), .hide(\Book.price),
                .hide(\Copy.acquired), .readOnly(\Book.year), .readOnly(\Copy.condition)),
            // Keeps the books that hold money.
            Role("treasurer", .allow(.view, .add, on: Genre.self), .task(.activity)).requiringSecondFactor(),
        ]
    }

    @RouteBuilder var routes: [Route] {
        Route.get("/who", access: .everyone) { request in .text(request.user ?? "nobody") }
        Route.get("/catalogue") { request in .text(request.user ?? "nobody") }
        Route.get(Library.gallery) { request in
            let gallery = Gallery(address: Library.gallery, csrf: request.csrfToken)
            let document = gallery.document(for: request.user ?? "", showsSheet: request.query("show") == "sheet")
            return RouteResponse(contentType: "text/html; charset=utf-8", body: document)
        }
        Route.get(Library.gallery + "/gallery.css") { _ in
            RouteResponse(contentType: "text/css; charset=utf-8", body: Gallery.stylesheet)
        }
    }

    /// The address of the gallery of components, which the browser tests look at.
    private static let gallery = "/design"

    static var commands: [any ParsableCommand.Type] { [FillCommand.self] }
}

extension Library {
    /// English, and the language in which a text that no catalogue has is seen at once.
    var languages: [Language] { [.english, .pseudo] }
}

/// Stores the sample data in a directory that is to be kept.
struct FillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fill", abstract: "Store the sample library.")

    @OptionGroup var location: DataOption

    func run() async throws {
        try await Library.withStore(at: location.store, as: "fill", createsStore: true) { store in
            _ = try await store.submit(Library().sampleChanges)
        }
    }
}
